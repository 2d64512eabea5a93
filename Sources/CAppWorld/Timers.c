#include "World.h"

#if defined(__linux__)

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

// Timers that the app's clock fires: `dispatch_after`, timer sources, and descriptors that are timers,
// which run loops wait for.

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
  if (!world_covers_time() || when == DISPATCH_TIME_FOREVER) {
    return ORIGINAL(dispatch_after)(when, queue, block);
  }
  delay(when, (struct delayed){.queue = queue, .block = _Block_copy(block)});
}

INTERPOSED void dispatch_after_f(
    dispatch_time_t when, void *queue, void *context, dispatch_function_t work) {
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
  if (type != _dispatch_source_type_timer || !world_covers_time() || world_is_dispatch(CALLER)) {
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

/// How often a timer that repeats was due by now beyond its first time; moves its deadline on.
static uint64_t catch_up(int64_t *deadline, int64_t interval) {
  *deadline += interval;
  if (*deadline > world_now()) return 0;
  int64_t missed = (world_now() - *deadline) / interval + 1;
  *deadline += missed * interval;
  return (uint64_t)missed;
}

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
  if (repeats) count += catch_up(&timer->deadline, (int64_t)timer->interval);
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

// ---- Descriptors

int timerfd_create(clockid_t clock, int flags);

#define DESCRIPTORS 65536

static _Atomic unsigned char descriptors[DESCRIPTORS];
static pthread_mutex_t descriptor_lock = PTHREAD_MUTEX_INITIALIZER;

/// The timers among the descriptors, by number.
static struct descriptor_timer {
  int descriptor;
  clockid_t clock;
  int64_t deadline, interval;
  uint64_t generation, ticket;
  bool is_set;
  struct descriptor_timer *next;
} *descriptor_timers;

enum world_descriptor world_descriptor(int descriptor) {
  if (descriptor < 0 || descriptor >= DESCRIPTORS) return WORLD_PLAIN;
  return atomic_load_explicit(&descriptors[descriptor], memory_order_relaxed);
}

void world_set_descriptor(int descriptor, enum world_descriptor kind) {
  if (descriptor >= 0 && descriptor < DESCRIPTORS) atomic_store(&descriptors[descriptor], kind);
}

static struct descriptor_timer **descriptor_place(int descriptor) {
  struct descriptor_timer **place = &descriptor_timers;
  while (*place != NULL && (*place)->descriptor != descriptor) place = &(*place)->next;
  return place;
}

INTERPOSED int timerfd_create(clockid_t clock, int flags) {
  if (!world_covers_time() || world_is_dispatch(CALLER)) {
    return ORIGINAL(timerfd_create)(clock, flags);
  }
  // The flags of both have the values of `open`.
  int descriptor = eventfd(0, flags & (O_NONBLOCK | O_CLOEXEC));
  if (descriptor < 0 || descriptor >= DESCRIPTORS) return descriptor;
  struct descriptor_timer *timer = calloc(1, sizeof *timer);
  timer->descriptor = descriptor;
  timer->clock = clock;
  pthread_mutex_lock(&descriptor_lock);
  timer->next = descriptor_timers;
  descriptor_timers = timer;
  pthread_mutex_unlock(&descriptor_lock);
  world_set_descriptor(descriptor, WORLD_TIMER);
  return descriptor;
}

static void fire_descriptor(void *timer, uint64_t generation);

static void arm_descriptor(int descriptor, uint64_t generation, int64_t deadline) {
  void *context = (void *)(intptr_t)descriptor;
  uint64_t ticket = world_hooks.schedule(deadline, fire_descriptor, context, generation);
  pthread_mutex_lock(&descriptor_lock);
  struct descriptor_timer *timer = *descriptor_place(descriptor);
  bool is_current = timer != NULL && timer->generation == generation;
  if (is_current) timer->ticket = ticket;
  pthread_mutex_unlock(&descriptor_lock);
  if (!is_current) world_hooks.cancel(ticket);
}

static void fire_descriptor(void *context, uint64_t generation) {
  int descriptor = (int)(intptr_t)context;
  uint64_t count = 1;
  pthread_mutex_lock(&descriptor_lock);
  struct descriptor_timer *timer = *descriptor_place(descriptor);
  if (timer == NULL || timer->generation != generation) {
    pthread_mutex_unlock(&descriptor_lock);
    return;
  }
  generation = ++timer->generation;
  bool repeats = timer->is_set = timer->interval > 0;
  if (repeats) count += catch_up(&timer->deadline, timer->interval);
  int64_t deadline = timer->deadline;
  eventfd_write(descriptor, count);
  pthread_mutex_unlock(&descriptor_lock);
  if (repeats) arm_descriptor(descriptor, generation, deadline);
}

/// Never so long that two of them are more than 64 bits hold.
static int64_t duration_of(const struct timespec *time) {
  int64_t duration = world_nanoseconds(time);
  return duration < INT64_MAX / 2 ? duration : INT64_MAX / 2;
}

/// What was counted before a timer is set anew isn't read any more.
static void drain(int descriptor) {
  struct pollfd state = {.fd = descriptor, .events = POLLIN};
  eventfd_t count;
  if (poll(&state, 1, 0) > 0) eventfd_read(descriptor, &count);
}

INTERPOSED int timerfd_settime(
    int descriptor, int flags, const struct itimerspec *value, struct itimerspec *old) {
  if (world_descriptor(descriptor) != WORLD_TIMER) {
    return ORIGINAL(timerfd_settime)(descriptor, flags, value, old);
  }
  if (old != NULL) timerfd_gettime(descriptor, old);
  int64_t first = duration_of(&value->it_value);
  pthread_mutex_lock(&descriptor_lock);
  struct descriptor_timer *timer = *descriptor_place(descriptor);
  if (timer == NULL) {
    pthread_mutex_unlock(&descriptor_lock);
    errno = EBADF;
    return -1;
  }
  bool was_set = timer->is_set;
  uint64_t ticket = timer->ticket;
  drain(descriptor);
  timer->generation++;
  timer->is_set = first > 0;
  timer->interval = duration_of(&value->it_interval);
  timer->deadline =
      (flags & TFD_TIMER_ABSTIME) != 0 ? first - world_base(timer->clock) : first + world_now();
  uint64_t generation = timer->generation;
  int64_t deadline = timer->deadline;
  pthread_mutex_unlock(&descriptor_lock);
  if (was_set) world_hooks.cancel(ticket);
  if (first > 0) arm_descriptor(descriptor, generation, deadline);
  return 0;
}

static struct timespec timespec_of(int64_t nanoseconds) {
  return (struct timespec){
      .tv_sec = nanoseconds / NANOSECONDS, .tv_nsec = nanoseconds % NANOSECONDS};
}

INTERPOSED int timerfd_gettime(int descriptor, struct itimerspec *value) {
  if (world_descriptor(descriptor) != WORLD_TIMER) {
    return ORIGINAL(timerfd_gettime)(descriptor, value);
  }
  memset(value, 0, sizeof *value);
  pthread_mutex_lock(&descriptor_lock);
  struct descriptor_timer *timer = *descriptor_place(descriptor);
  if (timer != NULL && timer->is_set) {
    int64_t left = timer->deadline - world_now();
    // Nothing left would say that it isn't set.
    value->it_value = timespec_of(left > 0 ? left : 1);
    value->it_interval = timespec_of(timer->interval);
  }
  pthread_mutex_unlock(&descriptor_lock);
  return 0;
}

void world_forget_timer(int descriptor) {
  pthread_mutex_lock(&descriptor_lock);
  struct descriptor_timer **place = descriptor_place(descriptor);
  struct descriptor_timer *timer = *place;
  if (timer != NULL) *place = timer->next;
  pthread_mutex_unlock(&descriptor_lock);
  if (timer != NULL && timer->is_set) world_hooks.cancel(timer->ticket);
  free(timer);
}

INTERPOSED int close(int descriptor) {
  enum world_descriptor kind = world_descriptor(descriptor);
  if (kind != WORLD_PLAIN) {
    world_set_descriptor(descriptor, WORLD_PLAIN);
    if (kind == WORLD_TIMER) world_forget_timer(descriptor);
  }
  return ORIGINAL(close)(descriptor);
}

#endif
