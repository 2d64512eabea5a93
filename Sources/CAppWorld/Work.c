#include "World.h"

#if defined(__linux__)

#include <semaphore.h>
#include <string.h>

// Work on dispatch queues, counted from the call that hands it over until it has run. Everything that
// is asynchronous on Linux comes here: Swift's `DispatchQueue`, operation queues, the runtime's
// executors.

void dispatch_async(void *queue, void *block);
void dispatch_barrier_async(void *queue, void *block);
void dispatch_barrier_async_f(void *queue, void *context, dispatch_function_t work);
void dispatch_group_async(void *group, void *queue, void *block);
void dispatch_group_async_f(
    void *group, void *queue, void *context, dispatch_function_t work);
void dispatch_group_enter(void *group);
void dispatch_group_leave(void *group);
void dispatch_group_notify(void *group, void *queue, void *block);
void dispatch_group_notify_f(
    void *group, void *queue, void *context, dispatch_function_t work);
long dispatch_group_wait(void *group, dispatch_time_t timeout);
void *dispatch_get_global_queue(long identifier, unsigned long flags);
void dispatch_suspend(void *object);
void dispatch_resume(void *object);
void dispatch_activate(void *object);

const void *const world_dispatch_definition = (const void *)dispatch_async;

/// A block's function, which takes the block.
static dispatch_function_t function_of(void *block) {
  struct literal {
    void *isa;
    int flags, reserved;
    dispatch_function_t invoke;
  };
  return ((struct literal *)block)->invoke;
}

/// A piece of work on its way.
struct piece {
  dispatch_function_t work;
  void *context;
  /// Set where `context` is a block of this piece's own.
  bool is_block;
  /// What is left when the work has run.
  void *group;
};

static struct piece *make_piece(dispatch_function_t work, void *context) {
  struct piece *piece = malloc(sizeof *piece);
  *piece = (struct piece){.work = work, .context = context};
  return piece;
}

static struct piece *make_block_piece(void *block) {
  void *copy = _Block_copy(block);
  struct piece *piece = make_piece(function_of(copy), copy);
  piece->is_block = true;
  return piece;
}

static void perform(struct piece *piece) {
  struct piece it = *piece;
  free(piece);
  it.work(it.context);
  if (it.is_block) _Block_release(it.context);
  // What the last one to leave sets in motion is counted before this piece has ended.
  if (it.group != NULL) {
    dispatch_group_leave(it.group);
    dispatch_release(it.group);
  }
}

static void run_block(void *context) {
  world_hooks.start();
  world_thread.blocks++;
  perform(context);
  world_thread.blocks--;
  world_hooks.end(APPWORLD_BLOCK);
}

/// Whether a block of `dispatch_block_create` wants to be alone on its queue.
static bool is_barrier(void *block) {
  extern dispatch_function_t const _dispatch_block_special_invoke __attribute__((weak));
  struct {
    void *isa;
    int flags, reserved;
    dispatch_function_t invoke;
    void *descriptor;
    // The private data of libdispatch's block.cpp and queue_internal.h.
    uint64_t magic;
    unsigned long block_flags;
  } literal;
  if (&_dispatch_block_special_invoke == NULL) return false;
  if (function_of(block) != _dispatch_block_special_invoke) return false;
  memcpy(&literal, block, sizeof literal);
  return (literal.block_flags & 1) != 0;
}

static void enqueue(void *queue, struct piece *piece, bool is_barrier) {
  world_hooks.begin(APPWORLD_QUEUED);
  if (is_barrier) {
    ORIGINAL(dispatch_barrier_async_f)(queue, piece, run_block);
  } else {
    ORIGINAL(dispatch_async_f)(queue, piece, run_block);
  }
}

/// Whether libdispatch puts off something of its own, on a queue that it has suspended: a channel's end
/// waits so while the channel is open.
static bool puts_off(void *queue, const void *caller);

INTERPOSED void dispatch_async(void *queue, void *block) {
  if (!world_covers_caller() || puts_off(queue, CALLER)) {
    return ORIGINAL(dispatch_async)(queue, block);
  }
  enqueue(queue, make_block_piece(block), is_barrier(block));
}

INTERPOSED void dispatch_async_f(void *queue, void *context, dispatch_function_t work) {
  if (!world_covers_caller()) return ORIGINAL(dispatch_async_f)(queue, context, work);
  enqueue(queue, make_piece(work, context), false);
}

INTERPOSED void dispatch_barrier_async(void *queue, void *block) {
  if (!world_covers_caller()) return ORIGINAL(dispatch_barrier_async)(queue, block);
  enqueue(queue, make_block_piece(block), true);
}

INTERPOSED void dispatch_barrier_async_f(void *queue, void *context, dispatch_function_t work) {
  if (!world_covers_caller()) return ORIGINAL(dispatch_barrier_async_f)(queue, context, work);
  enqueue(queue, make_piece(work, context), true);
}

static void enqueue_in_group(void *group, void *queue, struct piece *piece, bool is_barrier) {
  dispatch_group_enter(group);
  dispatch_retain(group);
  piece->group = group;
  enqueue(queue, piece, is_barrier);
}

INTERPOSED void dispatch_group_async(void *group, void *queue, void *block) {
  if (!world_covers_caller()) return ORIGINAL(dispatch_group_async)(group, queue, block);
  enqueue_in_group(group, queue, make_block_piece(block), is_barrier(block));
}

INTERPOSED void dispatch_group_async_f(
    void *group, void *queue, void *context, dispatch_function_t work) {
  if (!world_covers_caller()) {
    return ORIGINAL(dispatch_group_async_f)(group, queue, context, work);
  }
  enqueue_in_group(group, queue, make_piece(work, context), false);
}

// ---- What is ready to run, and has no thread
//
// What waits on a queue is ready to run unless it is behind something that waits itself. Then the pool of one
// of the global queues has a thread for it, or takes it before what comes to that queue later.

#define POOLS 6

static _Atomic int probes_left;

static void run_probe(void *ended) {
  if (atomic_fetch_sub(&probes_left, 1) == 1) sem_post(ended);
}

bool appworld_pools_flow(int64_t patience) {
  // From DISPATCH's maintenance to user interactive, as its qos_class_t has them.
  static const long pools[POOLS] = {0x05, 0x09, 0x11, 0x15, 0x19, 0x21};
  static sem_t ended;
  static bool is_made;
  if (!is_made) sem_init(&ended, 0, 0);
  is_made = true;
  bool is_new = atomic_load(&probes_left) == 0;
  while (is_new && sem_trywait(&ended) == 0) {
  }
  if (is_new) {
    atomic_store(&probes_left, POOLS);
    for (int index = 0; index < POOLS; index++) {
      void *queue = dispatch_get_global_queue(pools[index], 0);
      ORIGINAL(dispatch_async_f)(queue, &ended, run_probe);
    }
  }
  struct timespec end = world_real_date(patience);
  return ORIGINAL(sem_timedwait)(&ended, &end) == 0 && is_new;
}

// ---- Jobs of Swift concurrency

struct job {
  void (*run)(void *);
  void *job;
  long quality;
};

extern char _dispatch_main_q[];

static void run_job(void *context) {
  struct job it = *(struct job *)context;
  free(context);
  world_thread.jobs++;
  it.run(it.job);
  world_thread.jobs--;
  world_hooks.end(APPWORLD_JOB);
}

static void enqueue_job(struct job *it) {
  void *queue = it->quality == 0 ? _dispatch_main_q : dispatch_get_global_queue(it->quality, 0);
  world_hooks.begin(APPWORLD_JOB);
  appworld_enter_kit();
  dispatch_async_f(queue, it, run_job);
  appworld_leave_kit();
}

static struct job *make_job(long quality, void (*run)(void *), void *job) {
  struct job *it = malloc(sizeof *it);
  *it = (struct job){.run = run, .job = job, .quality = quality};
  return it;
}

void appworld_enqueue_job(long quality, void (*run)(void *), void *job) {
  enqueue_job(make_job(quality, run, job));
}

static void fire_job(void *context, uint64_t generation) {
  (void)generation;
  enqueue_job(context);
}

void appworld_schedule_job(int64_t deadline, long quality, void (*run)(void *), void *job) {
  world_hooks.schedule(deadline, fire_job, make_job(quality, run, job), 0);
}

// ---- Groups that tell when they are empty

/// What is told, from its registration until it runs. A group may never be empty, so only the way from
/// the last `leave` to the run is counted.
struct notice {
  struct piece *piece;
  void *group;
  bool is_counted;
  struct notice *next;
};

static pthread_mutex_t notice_lock = PTHREAD_MUTEX_INITIALIZER;
static struct notice *notices;
static _Atomic int notice_count;

static void count_notices(void *group) {
  pthread_mutex_lock(&notice_lock);
  for (struct notice *notice = notices; notice != NULL; notice = notice->next) {
    if (notice->group != group || notice->is_counted) continue;
    notice->is_counted = true;
    world_hooks.begin(APPWORLD_QUEUED);
  }
  pthread_mutex_unlock(&notice_lock);
}

/// The group isn't empty yet: what waits for that doesn't count.
static void discount_notices(void *group) {
  if (ORIGINAL(dispatch_group_wait)(group, DISPATCH_TIME_NOW) == 0) return;
  pthread_mutex_lock(&notice_lock);
  for (struct notice *notice = notices; notice != NULL; notice = notice->next) {
    if (notice->group != group || !notice->is_counted) continue;
    notice->is_counted = false;
    world_hooks.end(APPWORLD_QUEUED);
  }
  pthread_mutex_unlock(&notice_lock);
}

static void run_notice(void *context) {
  struct notice *notice = context;
  pthread_mutex_lock(&notice_lock);
  struct notice **place = &notices;
  while (*place != notice) place = &(*place)->next;
  *place = notice->next;
  atomic_fetch_sub(&notice_count, 1);
  if (!notice->is_counted) world_hooks.begin(APPWORLD_QUEUED);
  pthread_mutex_unlock(&notice_lock);
  struct piece *piece = notice->piece;
  dispatch_release(notice->group);
  free(notice);
  run_block(piece);
}

static void notify(void *group, void *queue, struct piece *piece) {
  struct notice *notice = malloc(sizeof *notice);
  *notice = (struct notice){.piece = piece, .group = group};
  dispatch_retain(group);
  pthread_mutex_lock(&notice_lock);
  notice->next = notices;
  notices = notice;
  atomic_fetch_add(&notice_count, 1);
  pthread_mutex_unlock(&notice_lock);
  dispatch_retain(group);
  count_notices(group);
  ORIGINAL(dispatch_group_notify_f)(group, queue, notice, run_notice);
  discount_notices(group);
  dispatch_release(group);
}

INTERPOSED void dispatch_group_notify(void *group, void *queue, void *block) {
  if (!world_covers_caller()) return ORIGINAL(dispatch_group_notify)(group, queue, block);
  notify(group, queue, make_block_piece(block));
}

INTERPOSED void dispatch_group_notify_f(
    void *group, void *queue, void *context, dispatch_function_t work) {
  if (!world_covers_caller()) {
    return ORIGINAL(dispatch_group_notify_f)(group, queue, context, work);
  }
  notify(group, queue, make_piece(work, context));
}

INTERPOSED void dispatch_group_leave(void *group) {
  if (atomic_load(&notice_count) == 0) return ORIGINAL(dispatch_group_leave)(group);
  // Whoever hears of it may release the group.
  dispatch_retain(group);
  count_notices(group);
  ORIGINAL(dispatch_group_leave)(group);
  discount_notices(group);
  dispatch_release(group);
}

// ---- Queues that are suspended

// Queues alone: a source is suspended from its making to its first `resume`.

#define SUSPENDED_CAPACITY 256

static pthread_mutex_t suspended_lock = PTHREAD_MUTEX_INITIALIZER;
static struct suspension {
  void *queue;
  int depth;
  /// Suspended by libdispatch, for itself.
  bool is_internal;
} suspended[SUSPENDED_CAPACITY];
/// Of all, and of those that the app suspended.
static _Atomic int suspension_count, suspended_count;

/// The lock is held; NULL where there is none.
static struct suspension *suspension_of(void *queue) {
  for (int index = 0; index < SUSPENDED_CAPACITY; index++) {
    if (suspended[index].queue == queue) return &suspended[index];
  }
  return NULL;
}

static void count_suspension(const struct suspension *suspension, int change) {
  atomic_fetch_add(&suspension_count, change);
  if (!suspension->is_internal) atomic_fetch_add(&suspended_count, change);
}

static void note_suspension(void *queue, bool is_internal) {
  pthread_mutex_lock(&suspended_lock);
  struct suspension *suspension = suspension_of(queue);
  if (suspension == NULL) {
    suspension = suspension_of(NULL);
    if (suspension != NULL) {
      *suspension = (struct suspension){.queue = queue, .is_internal = is_internal};
      count_suspension(suspension, 1);
    }
  }
  if (suspension != NULL) suspension->depth++;
  pthread_mutex_unlock(&suspended_lock);
}

/// One that was never met may be resumed only as a source is.
static void note_resumption(void *queue) {
  if (atomic_load(&suspension_count) == 0) return;
  pthread_mutex_lock(&suspended_lock);
  struct suspension *suspension = suspension_of(queue);
  if (suspension != NULL && --suspension->depth == 0) {
    count_suspension(suspension, -1);
    suspension->queue = NULL;
  }
  pthread_mutex_unlock(&suspended_lock);
}

static bool puts_off(void *queue, const void *caller) {
  if (atomic_load(&suspension_count) == 0 || !world_is_dispatch(caller)) return false;
  pthread_mutex_lock(&suspended_lock);
  struct suspension *suspension = suspension_of(queue);
  bool is_internal = suspension != NULL && suspension->is_internal;
  pthread_mutex_unlock(&suspended_lock);
  return is_internal;
}

int appworld_suspended_queues(void) { return atomic_load(&suspended_count); }

// A queue may be made as one that waits for `activate`: that is asked for just before.
static _Thread_local bool is_next_inactive;

void *dispatch_queue_attr_make_initially_inactive(void *attributes);
void *dispatch_queue_create(const char *label, void *attributes);
void *dispatch_queue_create_with_target(const char *label, void *attributes, void *target);

INTERPOSED void *dispatch_queue_attr_make_initially_inactive(void *attributes) {
  is_next_inactive = world_covers_caller();
  return ORIGINAL(dispatch_queue_attr_make_initially_inactive)(attributes);
}

INTERPOSED void *dispatch_queue_create_with_target(
    const char *label, void *attributes, void *target) {
  void *queue = ORIGINAL(dispatch_queue_create_with_target)(label, attributes, target);
  if (is_next_inactive) note_suspension(queue, false);
  is_next_inactive = false;
  return queue;
}

INTERPOSED void *dispatch_queue_create(const char *label, void *attributes) {
  return dispatch_queue_create_with_target(label, attributes, NULL);
}

INTERPOSED void dispatch_suspend(void *object) {
  ORIGINAL(dispatch_suspend)(object);
  bool is_queue = world_covers_caller() && !world_is_timer(object);
  if (is_queue) note_suspension(object, world_is_dispatch(CALLER));
}

INTERPOSED void dispatch_resume(void *object) {
  note_resumption(object);
  ORIGINAL(dispatch_resume)(object);
}

INTERPOSED void dispatch_activate(void *object) {
  note_resumption(object);
  ORIGINAL(dispatch_activate)(object);
}

// ---- Blocks of run loops

void CFRunLoopPerformBlock(void *loop, const void *mode, void *block);
void CFRunLoopWakeUp(void *loop);

/// The block would wait there for whatever wakes the loop next, though nobody counts it.
INTERPOSED void CFRunLoopPerformBlock(void *loop, const void *mode, void *block) {
  ORIGINAL(CFRunLoopPerformBlock)(loop, mode, block);
  if (world_covers_caller()) ORIGINAL(CFRunLoopWakeUp)(loop);
}

#endif
