#include "World.h"

#if defined(__linux__)

#include <string.h>

// Timers of libdispatch's that the app's clock fires: `dispatch_after` and timer sources.

// ---- dispatch_after

void dispatch_after(dispatch_time_t when, void *queue, void *block);
void dispatch_after_f(dispatch_time_t when, void *queue, void *context, dispatch_function_t work);
void dispatch_async(void *queue, void *block);

struct delayed {
  void *queue, *block, *context;
  dispatch_function_t work;
};

static void fire_delayed(void *context, uint64_t generation) {
  (void)generation;
  struct delayed it = *(struct delayed *)context;
  free(context);
  if (it.block != NULL) {
    dispatch_async(it.queue, it.block);
    _Block_release(it.block);
  } else {
    dispatch_async_f(it.queue, it.context, it.work);
  }
  dispatch_release(it.queue);
}

static void delay(dispatch_time_t when, struct delayed it) {
  struct delayed *delayed = malloc(sizeof *delayed);
  *delayed = it;
  dispatch_retain(it.queue);
  world_hooks.schedule(world_dispatch_deadline(when), fire_delayed, delayed, 0);
}

INTERPOSED void dispatch_after(dispatch_time_t when, void *queue, void *block) {
  if (when != DISPATCH_TIME_FOREVER) world_note_early(APPWORLD_EARLY_TIMERS, CALLER);
  if (!world_covers_time() || when == DISPATCH_TIME_FOREVER) {
    return ORIGINAL(dispatch_after)(when, queue, block);
  }
  delay(when, (struct delayed){.queue = queue, .block = _Block_copy(block)});
}

INTERPOSED void dispatch_after_f(
    dispatch_time_t when, void *queue, void *context, dispatch_function_t work) {
  if (when != DISPATCH_TIME_FOREVER) world_note_early(APPWORLD_EARLY_TIMERS, CALLER);
  if (!world_covers_time() || when == DISPATCH_TIME_FOREVER) {
    return ORIGINAL(dispatch_after_f)(when, queue, context, work);
  }
  delay(when, (struct delayed){.queue = queue, .context = context, .work = work});
}

// ---- Timer sources
//
// One is made as a source to which data can be added; when it is due, that is done. It is let go of when
// it is cancelled, and when its last reference goes.

struct timer {
  void *source;
  int64_t deadline;
  uint64_t interval, generation, ticket;
  bool is_set;
  struct timer *next;
};

#define BUCKETS 256

static pthread_mutex_t timer_lock = PTHREAD_MUTEX_INITIALIZER;
static struct timer *timers[BUCKETS];
static _Atomic int timer_count;

void *dispatch_source_create(
    const void *type, uintptr_t handle, unsigned long mask, void *queue);
void dispatch_source_set_timer(
    void *source, dispatch_time_t start, uint64_t interval, uint64_t leeway);
void dispatch_source_cancel(void *source);
void dispatch_source_merge_data(void *source, unsigned long value);

extern char _dispatch_source_type_timer[] __attribute__((weak));
extern char _dispatch_source_type_data_add[] __attribute__((weak));

static struct timer **place_of(void *source) {
  struct timer **place = &timers[((uintptr_t)source >> 4) % BUCKETS];
  while (*place != NULL && (*place)->source != source) place = &(*place)->next;
  return place;
}

bool world_is_timer(void *object) {
  if (atomic_load(&timer_count) == 0) return false;
  pthread_mutex_lock(&timer_lock);
  bool is_timer = *place_of(object) != NULL;
  pthread_mutex_unlock(&timer_lock);
  return is_timer;
}

INTERPOSED void *dispatch_source_create(
    const void *type, uintptr_t handle, unsigned long mask, void *queue) {
  __typeof__(&dispatch_source_create) original = ORIGINAL(dispatch_source_create);
  if (type == _dispatch_source_type_timer) world_note_early(APPWORLD_EARLY_TIMERS, CALLER);
  if (type != _dispatch_source_type_timer || IS_FOREIGN) {
    return original(type, handle, mask, queue);
  }
  void *source = original(_dispatch_source_type_data_add, 0, 0, queue);
  if (source == NULL) return NULL;
  struct timer *timer = calloc(1, sizeof *timer);
  timer->source = source;
  pthread_mutex_lock(&timer_lock);
  struct timer **place = place_of(source);
  timer->next = *place;
  *place = timer;
  atomic_fetch_add(&timer_count, 1);
  pthread_mutex_unlock(&timer_lock);
  return source;
}

static void fire_timer(void *source, uint64_t generation);

/// Sets a timer anew, by a generation that tells it from what it was set to before; the lock is not held,
/// since what is due already fires at once.
static void arm(void *source, uint64_t generation, int64_t deadline) {
  uint64_t ticket = world_hooks.schedule(deadline, fire_timer, source, generation);
  pthread_mutex_lock(&timer_lock);
  struct timer *timer = *place_of(source);
  bool is_current = timer != NULL && timer->generation == generation;
  if (is_current) timer->ticket = ticket;
  pthread_mutex_unlock(&timer_lock);
  // It was cancelled meanwhile, or set anew.
  if (!is_current) world_hooks.cancel(ticket);
}

static void fire_timer(void *source, uint64_t generation) {
  uint64_t count = 1;
  pthread_mutex_lock(&timer_lock);
  struct timer *timer = *place_of(source);
  if (timer == NULL || timer->generation != generation) {
    pthread_mutex_unlock(&timer_lock);
    return;
  }
  dispatch_retain(source);
  generation = ++timer->generation;
  bool repeats = timer->is_set = timer->interval != DISPATCH_TIME_FOREVER;
  if (repeats) count += world_catch_up(&timer->deadline, (int64_t)timer->interval);
  int64_t deadline = timer->deadline;
  pthread_mutex_unlock(&timer_lock);
  if (repeats) arm(source, generation, deadline);
  ORIGINAL(dispatch_source_merge_data)(source, count);
  dispatch_release(source);
}

INTERPOSED void dispatch_source_set_timer(
    void *source, dispatch_time_t start, uint64_t interval, uint64_t leeway) {
  if (atomic_load(&timer_count) > 0) {
    pthread_mutex_lock(&timer_lock);
    struct timer *timer = *place_of(source);
    if (timer != NULL) {
      uint64_t old = timer->ticket;
      bool was_set = timer->is_set;
      uint64_t generation = ++timer->generation;
      timer->is_set = start != DISPATCH_TIME_FOREVER;
      // Nothing fires without end at one time.
      timer->interval = interval == 0 ? 1000000 : interval;
      if (interval > INT64_MAX / 2) timer->interval = DISPATCH_TIME_FOREVER;
      timer->deadline = world_dispatch_deadline(start);
      int64_t deadline = timer->deadline;
      pthread_mutex_unlock(&timer_lock);
      if (was_set) world_hooks.cancel(old);
      if (start != DISPATCH_TIME_FOREVER) arm(source, generation, deadline);
      return;
    }
    pthread_mutex_unlock(&timer_lock);
  }
  ORIGINAL(dispatch_source_set_timer)(source, start, interval, leeway);
}

static void forget(void *source) {
  pthread_mutex_lock(&timer_lock);
  struct timer **place = place_of(source);
  struct timer *timer = *place;
  if (timer != NULL) {
    *place = timer->next;
    atomic_fetch_sub(&timer_count, 1);
  }
  pthread_mutex_unlock(&timer_lock);
  if (timer != NULL && timer->is_set) world_hooks.cancel(timer->ticket);
  free(timer);
}

INTERPOSED void dispatch_source_cancel(void *source) {
  if (atomic_load(&timer_count) > 0) forget(source);
  ORIGINAL(dispatch_source_cancel)(source);
}

/// How many references from outside an object of libdispatch has, less one
/// (`struct _os_object_s` in its object_internal.h).
static int references(void *object) {
  struct {
    void *isa;
    int internal, external;
  } head;
  memcpy(&head, object, sizeof head);
  return head.external;
}

INTERPOSED void dispatch_release(void *object) {
  if (atomic_load(&timer_count) > 0 && references(object) == 0) forget(object);
  ORIGINAL(dispatch_release)(object);
}

#endif
