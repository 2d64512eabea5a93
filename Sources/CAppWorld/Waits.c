#include "World.h"

#if defined(__linux__)

#include <errno.h>
#include <semaphore.h>
#include <sys/syscall.h>
#include <unistd.h>

// Waiting for another thread isn't work; waiting with a time limit follows the app's clock.

static _Atomic int waits_of_main_thread;

static bool is_main_thread(void) {
  static _Thread_local int answer;
  if (answer == 0) answer = syscall(SYS_gettid) == getpid() ? 1 : -1;
  return answer > 0;
}

bool appworld_main_thread_waits(void) { return atomic_load(&waits_of_main_thread) > 0; }

void world_begin_wait(void) {
  if (is_main_thread()) atomic_fetch_add(&waits_of_main_thread, 1);
}

void world_end_wait(void) {
  if (is_main_thread()) atomic_fetch_sub(&waits_of_main_thread, 1);
}

struct world_work world_hand_over(void) {
  struct world_work work = {.blocks = world_thread.blocks, .jobs = world_thread.jobs};
  for (int count = 0; count < work.blocks; count++) world_hooks.end(APPWORLD_BLOCK);
  for (int count = 0; count < work.jobs; count++) world_hooks.end(APPWORLD_JOB);
  return work;
}

void world_take_up(struct world_work work) {
  for (int count = 0; count < work.blocks; count++) world_hooks.begin(APPWORLD_BLOCK);
  for (int count = 0; count < work.jobs; count++) world_hooks.begin(APPWORLD_JOB);
}

/// The work of this thread while it waits for another, whose doing wakes it: from the moment on it is
/// seen to run.
static struct world_work begin_unlimited(void) {
  world_begin_wait();
  return world_hand_over();
}

static void end_unlimited(struct world_work work) {
  world_take_up(work);
  world_end_wait();
}

// ---- Waits that the kit ends

/// By the last bits of a thread's number. Where two threads have the same, the files of one are read.
#define PARKINGS 65536

static _Atomic uint64_t parkings[PARKINGS];
static _Atomic uint32_t next_parking = 1;

static _Atomic uint64_t *parking_of(int thread) { return &parkings[thread % PARKINGS]; }

static int thread_of(uint64_t number) { return (int)(number >> 32); }

void world_park(struct world_parking *parking) {
  if (is_main_thread()) return;
  int thread = (int)syscall(SYS_gettid);
  uint64_t number = (uint64_t)thread << 32 | atomic_fetch_add(&next_parking, 1);
  atomic_store(&parking->number, number);
  atomic_store(parking_of(thread), number);
  // It was ended before that could be seen.
  if (atomic_load(&parking->is_over)) world_unpark(parking);
}

void world_unpark(struct world_parking *parking) {
  atomic_store(&parking->is_over, true);
  uint64_t number = atomic_load(&parking->number);
  if (number != 0) atomic_compare_exchange_strong(parking_of(thread_of(number)), &number, 0);
}

uint64_t world_parking(int thread) {
  uint64_t number = atomic_load(parking_of(thread));
  return thread_of(number) == thread ? number : 0;
}

// ---- Waits with a limit

enum outcome { WAITING, SIGNALLED, TIMED_OUT };

/// One wait, which the waiting thread and what ends it share.
struct wait {
  _Atomic int owners;
  enum outcome outcome;
  /// What is waited for: a semaphore of libdispatch's, a group, or a condition.
  void *object;
  bool is_condition, is_group;
  sem_t ended;
  struct world_parking parking;
  struct world_work work;
  struct wait *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct wait *waits;
static _Atomic int wait_count;

long dispatch_semaphore_wait(void *semaphore, dispatch_time_t timeout);
long dispatch_semaphore_signal(void *semaphore);
long dispatch_group_wait(void *group, dispatch_time_t timeout);
void dispatch_group_notify_f(
    void *group, void *queue, void *context, dispatch_function_t work);
void *dispatch_get_global_queue(long identifier, unsigned long flags);

static struct wait *begin_wait(void *object) {
  struct wait *wait = calloc(1, sizeof *wait);
  atomic_store(&wait->owners, 2);
  wait->object = object;
  sem_init(&wait->ended, 0, 0);
  world_begin_wait();
  wait->work = world_hand_over();
  return wait;
}

static void insert(struct wait *wait) {
  atomic_fetch_add(&wait_count, 1);
  pthread_mutex_lock(&lock);
  wait->next = waits;
  waits = wait;
  pthread_mutex_unlock(&lock);
}

static void release_wait(struct wait *wait) {
  if (atomic_fetch_sub(&wait->owners, 1) > 1) return;
  sem_destroy(&wait->ended);
  free(wait);
}

/// Ends a wait that hasn't ended; the lock is held.
static bool end(struct wait *wait, enum outcome outcome) {
  if (wait->outcome != WAITING) return false;
  wait->outcome = outcome;
  if (!wait->is_condition) world_take_up(wait->work);
  if (wait->is_condition) {
    ORIGINAL(pthread_cond_broadcast)(wait->object);
  } else {
    world_unpark(&wait->parking);
    sem_post(&wait->ended);
  }
  return true;
}

static void time_out(void *context, uint64_t generation) {
  (void)generation;
  struct wait *wait = context;
  pthread_mutex_lock(&lock);
  end(wait, TIMED_OUT);
  pthread_mutex_unlock(&lock);
  release_wait(wait);
}

static enum outcome finish_wait(struct wait *wait, uint64_t ticket) {
  pthread_mutex_lock(&lock);
  enum outcome outcome = wait->outcome;
  struct wait **place = &waits;
  while (*place != wait) place = &(*place)->next;
  *place = wait->next;
  // From here on what comes too late has nothing to end.
  if (outcome == WAITING) wait->outcome = SIGNALLED;
  pthread_mutex_unlock(&lock);
  atomic_fetch_sub(&wait_count, 1);
  if (world_hooks.cancel(ticket)) release_wait(wait);
  release_wait(wait);
  world_end_wait();
  return outcome;
}

static uint64_t limit(struct wait *wait, int64_t deadline) {
  return world_hooks.schedule(deadline, time_out, wait, 0);
}

static void await(struct wait *wait) {
  world_park(&wait->parking);
  while (sem_wait(&wait->ended) != 0 && errno == EINTR) {
  }
}

// ---- Semaphores of libdispatch

static bool take(void *semaphore) {
  return ORIGINAL(dispatch_semaphore_wait)(semaphore, DISPATCH_TIME_NOW) == 0;
}

INTERPOSED long dispatch_semaphore_wait(void *semaphore, dispatch_time_t timeout) {
  if (IS_FOREIGN) {
    return ORIGINAL(dispatch_semaphore_wait)(semaphore, timeout);
  }
  if (take(semaphore)) return 0;
  if (timeout == DISPATCH_TIME_FOREVER) {
    struct world_work work = begin_unlimited();
    ORIGINAL(dispatch_semaphore_wait)(semaphore, DISPATCH_TIME_FOREVER);
    end_unlimited(work);
    return 0;
  }
  int64_t deadline = world_dispatch_deadline(timeout);
  if (deadline <= world_now()) return 1;
  struct wait *wait = begin_wait(semaphore);
  insert(wait);
  world_nudge();
  uint64_t ticket = limit(wait, deadline);
  await(wait);
  return finish_wait(wait, ticket) == SIGNALLED ? 0 : 1;
}

INTERPOSED long dispatch_semaphore_signal(void *semaphore) {
  // The kit wakes its own threads, at times under this lock.
  if (atomic_load(&wait_count) > 0 && world_covers_time()) {
    pthread_mutex_lock(&lock);
    for (struct wait *wait = waits; wait != NULL; wait = wait->next) {
      if (wait->object != semaphore || !end(wait, SIGNALLED)) continue;
      pthread_mutex_unlock(&lock);
      return 1;
    }
    pthread_mutex_unlock(&lock);
  }
  return ORIGINAL(dispatch_semaphore_signal)(semaphore);
}

void world_nudge(void) {
  if (atomic_load(&wait_count) == 0) return;
  pthread_mutex_lock(&lock);
  for (struct wait *wait = waits; wait != NULL; wait = wait->next) {
    if (wait->is_condition) {
      // A time that was over before the thread had begun to wait woke nobody.
      if (wait->outcome == TIMED_OUT) ORIGINAL(pthread_cond_broadcast)(wait->object);
    } else if (!wait->is_group && wait->outcome == WAITING) {
      // A signal that saw no wait yet is in the semaphore.
      if (take(wait->object)) end(wait, SIGNALLED);
    }
  }
  pthread_mutex_unlock(&lock);
}

// ---- Groups

static void emptied(void *context) {
  struct wait *wait = context;
  pthread_mutex_lock(&lock);
  end(wait, SIGNALLED);
  pthread_mutex_unlock(&lock);
  release_wait(wait);
}

INTERPOSED long dispatch_group_wait(void *group, dispatch_time_t timeout) {
  __typeof__(&dispatch_group_wait) original = ORIGINAL(dispatch_group_wait);
  if (!world_covers_time()) return original(group, timeout);
  if (original(group, DISPATCH_TIME_NOW) == 0) return 0;
  if (timeout == DISPATCH_TIME_FOREVER) {
    struct world_work work = begin_unlimited();
    original(group, DISPATCH_TIME_FOREVER);
    end_unlimited(work);
    return 0;
  }
  int64_t deadline = world_dispatch_deadline(timeout);
  if (deadline <= world_now()) return 1;
  struct wait *wait = begin_wait(group);
  wait->is_group = true;
  insert(wait);
  uint64_t ticket = limit(wait, deadline);
  atomic_fetch_add(&wait->owners, 1);
  ORIGINAL(dispatch_group_notify_f)(group, dispatch_get_global_queue(0, 0), wait, emptied);
  await(wait);
  return finish_wait(wait, ticket) == SIGNALLED ? 0 : 1;
}

// ---- Conditions of POSIX threads

INTERPOSED int pthread_cond_wait(
    pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex) {
  if (!world_covers_time()) return ORIGINAL(pthread_cond_wait)(condition, mutex);
  struct world_work work = begin_unlimited();
  int result = ORIGINAL(pthread_cond_wait)(condition, mutex);
  end_unlimited(work);
  return result;
}

static int wait_for_condition(
    pthread_cond_t *condition, pthread_mutex_t *mutex, int64_t deadline) {
  if (deadline <= world_now()) {
    // Others get their turn, as in any wait.
    struct timespec past = {0};
    return ORIGINAL(pthread_cond_timedwait)(condition, mutex, &past);
  }
  struct wait *wait = begin_wait(condition);
  wait->is_condition = true;
  insert(wait);
  uint64_t ticket = limit(wait, deadline);
  int result = ORIGINAL(pthread_cond_wait)(condition, mutex);
  world_take_up(wait->work);
  return finish_wait(wait, ticket) == TIMED_OUT ? ETIMEDOUT : result;
}

INTERPOSED int pthread_cond_timedwait(
    pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex,
    const struct timespec *restrict time) {
  if (!world_covers_time()) return ORIGINAL(pthread_cond_timedwait)(condition, mutex, time);
  return wait_for_condition(condition, mutex, world_deadline(time));
}

INTERPOSED int pthread_cond_clockwait(
    pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex, clockid_t clock,
    const struct timespec *restrict time) {
  if (!world_covers_time()) return ORIGINAL(pthread_cond_clockwait)(condition, mutex, clock, time);
  int64_t deadline = time->tv_sec * NANOSECONDS + time->tv_nsec - world_base(clock);
  return wait_for_condition(condition, mutex, deadline);
}

// ---- Waits that the clock can't end
//
// They last as long by the system's clock, and the app isn't idle meanwhile.

/// The system's date that is as far off as a time is on the app's clock.
static struct timespec real_date(const struct timespec *time) {
  int64_t deadline = world_deadline(time);
  return world_real_date(deadline > world_now() ? deadline - world_now() : 0);
}

INTERPOSED int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict time) {
  if (!world_covers_time()) return ORIGINAL(sem_timedwait)(semaphore, time);
  // A thread of libdispatch's without work, which would leave after a while, stays.
  if (world_is_dispatch(CALLER)) return ORIGINAL(sem_wait)(semaphore);
  struct timespec end = real_date(time);
  return ORIGINAL(sem_timedwait)(semaphore, &end);
}

#define TIMED_LOCK(name, type)                                                             \
  INTERPOSED int name(type *restrict lock, const struct timespec *restrict time) {         \
    if (!world_covers_time()) return ORIGINAL(name)(lock, time);                           \
    struct timespec end = real_date(time);                                                 \
    return ORIGINAL(name)(lock, &end);                                                     \
  }

TIMED_LOCK(pthread_mutex_timedlock, pthread_mutex_t)
TIMED_LOCK(pthread_rwlock_timedrdlock, pthread_rwlock_t)
TIMED_LOCK(pthread_rwlock_timedwrlock, pthread_rwlock_t)

#endif
