#include "World.h"

#if defined(__linux__)

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <unistd.h>

// Timers of the system's that the app's clock fires: descriptors, which run loops wait for, and those that
// send a signal.

/// By numbers: that of a descriptor; below 0, those that have none.
static struct timer {
  int number;
  clockid_t clock;
  int64_t deadline, interval;
  uint64_t generation, ticket;
  bool is_set;
  /// What becomes of it, where it isn't a descriptor.
  struct sigevent event;
  struct timer *next;
} *timers;

static pthread_mutex_t timer_lock = PTHREAD_MUTEX_INITIALIZER;

#define REAL_TIMER (-1)
/// From here on downwards: those of `timer_create`.
#define FIRST_POSIX_TIMER (-2)

static struct timer **place_of(int number) {
  struct timer **place = &timers;
  while (*place != NULL && (*place)->number != number) place = &(*place)->next;
  return place;
}

static void add_timer(struct timer it) {
  struct timer *timer = malloc(sizeof *timer);
  *timer = it;
  pthread_mutex_lock(&timer_lock);
  timer->next = timers;
  timers = timer;
  pthread_mutex_unlock(&timer_lock);
}

static bool forget_timer(int number) {
  pthread_mutex_lock(&timer_lock);
  struct timer **place = place_of(number);
  struct timer *timer = *place;
  if (timer != NULL) *place = timer->next;
  pthread_mutex_unlock(&timer_lock);
  if (timer != NULL && timer->is_set) world_hooks.cancel(timer->ticket);
  free(timer);
  return timer != NULL;
}

// ---- What becomes of a timer that is due

static void *call_function(void *context) {
  struct sigevent event = *(struct sigevent *)context;
  free(context);
  event.sigev_notify_function(event.sigev_value);
  return NULL;
}

static void start_thread(const struct sigevent *event) {
  pthread_t thread;
  struct sigevent *copy = malloc(sizeof *copy);
  *copy = *event;
  if (pthread_create(&thread, NULL, call_function, copy) == 0) {
    pthread_detach(thread);
  } else {
    free(copy);
  }
}

static void expire(int number, const struct sigevent *event, uint64_t count) {
  if (number >= 0) {
    eventfd_write(number, count);
    return;
  }
  switch (event->sigev_notify) {
  case SIGEV_SIGNAL: sigqueue(getpid(), event->sigev_signo, event->sigev_value); return;
  case SIGEV_THREAD: start_thread(event); return;
  case SIGEV_THREAD_ID:
    syscall(SYS_tgkill, getpid(), event->_sigev_un._tid, event->sigev_signo);
    return;
  }
}

static void fire(void *timer, uint64_t generation);

static void arm(int number, uint64_t generation, int64_t deadline) {
  void *context = (void *)(intptr_t)number;
  uint64_t ticket = world_hooks.schedule(deadline, fire, context, generation);
  pthread_mutex_lock(&timer_lock);
  struct timer *timer = *place_of(number);
  bool is_current = timer != NULL && timer->generation == generation;
  if (is_current) timer->ticket = ticket;
  pthread_mutex_unlock(&timer_lock);
  if (!is_current) world_hooks.cancel(ticket);
}

static void fire(void *context, uint64_t generation) {
  int number = (int)(intptr_t)context;
  uint64_t count = 1;
  pthread_mutex_lock(&timer_lock);
  struct timer *timer = *place_of(number);
  if (timer == NULL || timer->generation != generation) {
    pthread_mutex_unlock(&timer_lock);
    return;
  }
  generation = ++timer->generation;
  bool repeats = timer->is_set = timer->interval > 0;
  if (repeats) count += world_catch_up(&timer->deadline, timer->interval);
  int64_t deadline = timer->deadline;
  struct sigevent event = timer->event;
  // Under the lock, so that the descriptor isn't another's yet.
  if (number >= 0) expire(number, &event, count);
  pthread_mutex_unlock(&timer_lock);
  if (repeats) arm(number, generation, deadline);
  if (number < 0) expire(number, &event, count);
}

// ---- Setting and asking

/// Never so long that two of them are more than 64 bits hold.
static int64_t duration_of(const struct timespec *time) {
  int64_t duration = world_nanoseconds(time);
  return duration < INT64_MAX / 2 ? duration : INT64_MAX / 2;
}

static struct timespec timespec_of(int64_t nanoseconds) {
  return (struct timespec){
      .tv_sec = nanoseconds / NANOSECONDS, .tv_nsec = nanoseconds % NANOSECONDS};
}

static struct itimerspec value_of(const struct timer *timer) {
  struct itimerspec value = {0};
  if (timer == NULL || !timer->is_set) return value;
  int64_t left = timer->deadline - world_now();
  // Nothing left would say that it isn't set.
  value.it_value = timespec_of(left > 0 ? left : 1);
  value.it_interval = timespec_of(timer->interval);
  return value;
}

static void get_timer(int number, struct itimerspec *value) {
  pthread_mutex_lock(&timer_lock);
  *value = value_of(*place_of(number));
  pthread_mutex_unlock(&timer_lock);
}

/// What was counted before a timer is set anew isn't read any more.
static void drain(int descriptor) {
  struct pollfd state = {.fd = descriptor, .events = POLLIN};
  eventfd_t count;
  if (poll(&state, 1, 0) > 0) eventfd_read(descriptor, &count);
}

/// 0, or the number of an error.
static int set_timer(
    int number, bool is_absolute, const struct itimerspec *value, struct itimerspec *old) {
  int64_t first = duration_of(&value->it_value);
  pthread_mutex_lock(&timer_lock);
  struct timer *timer = *place_of(number);
  if (timer == NULL) {
    pthread_mutex_unlock(&timer_lock);
    return EINVAL;
  }
  if (old != NULL) *old = value_of(timer);
  bool was_set = timer->is_set;
  uint64_t ticket = timer->ticket;
  if (number >= 0) drain(number);
  uint64_t generation = ++timer->generation;
  timer->is_set = first > 0;
  timer->interval = duration_of(&value->it_interval);
  int64_t deadline = is_absolute ? first - world_base(timer->clock) : first + world_now();
  timer->deadline = deadline;
  pthread_mutex_unlock(&timer_lock);
  if (was_set) world_hooks.cancel(ticket);
  if (first > 0) arm(number, generation, deadline);
  return 0;
}

static int result_of(int error) {
  if (error != 0) errno = error;
  return error == 0 ? 0 : -1;
}

// ---- Descriptors

#define DESCRIPTORS 65536

static _Atomic unsigned char descriptors[DESCRIPTORS];

enum world_descriptor world_descriptor(int descriptor) {
  if (descriptor < 0 || descriptor >= DESCRIPTORS) return WORLD_PLAIN;
  return atomic_load_explicit(&descriptors[descriptor], memory_order_relaxed);
}

void world_set_descriptor(int descriptor, enum world_descriptor kind) {
  if (descriptor >= 0 && descriptor < DESCRIPTORS) atomic_store(&descriptors[descriptor], kind);
}

INTERPOSED int timerfd_create(clockid_t clock, int flags) {
  // A run loop makes one when it is asked for, which is its timer for ever.
  world_note_early(APPWORLD_EARLY_TIMERS, CALLER);
  if (IS_FOREIGN) return ORIGINAL(timerfd_create)(clock, flags);
  // The flags of both have the values of `open`.
  int descriptor = eventfd(0, flags & (O_NONBLOCK | O_CLOEXEC));
  if (descriptor < 0 || descriptor >= DESCRIPTORS) return descriptor;
  add_timer((struct timer){.number = descriptor, .clock = clock});
  world_set_descriptor(descriptor, WORLD_TIMER);
  return descriptor;
}

INTERPOSED int timerfd_settime(
    int descriptor, int flags, const struct itimerspec *value, struct itimerspec *old) {
  if (world_descriptor(descriptor) != WORLD_TIMER) {
    return ORIGINAL(timerfd_settime)(descriptor, flags, value, old);
  }
  return result_of(set_timer(descriptor, (flags & TFD_TIMER_ABSTIME) != 0, value, old));
}

INTERPOSED int timerfd_gettime(int descriptor, struct itimerspec *value) {
  if (world_descriptor(descriptor) != WORLD_TIMER) {
    return ORIGINAL(timerfd_gettime)(descriptor, value);
  }
  get_timer(descriptor, value);
  return 0;
}

INTERPOSED int close(int descriptor) {
  enum world_descriptor kind = world_descriptor(descriptor);
  if (kind != WORLD_PLAIN) {
    world_set_descriptor(descriptor, WORLD_PLAIN);
    if (kind == WORLD_TIMER) forget_timer(descriptor);
  }
  return ORIGINAL(close)(descriptor);
}

// ---- Timers of POSIX

static int number_of(timer_t timer) { return (int)(intptr_t)timer; }

INTERPOSED int timer_create(
    clockid_t clock, struct sigevent *restrict event, timer_t *restrict timer) {
  static _Atomic int next = FIRST_POSIX_TIMER;
  bool is_cpu = clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID;
  if (!is_cpu) world_note_early(APPWORLD_EARLY_TIMERS, CALLER);
  if (!world_covers_time() || is_cpu) return ORIGINAL(timer_create)(clock, event, timer);
  struct timer it = {.number = atomic_fetch_sub(&next, 1), .clock = clock};
  it.event.sigev_signo = SIGALRM;
  it.event.sigev_value.sival_int = it.number;
  if (event != NULL) it.event = *event;
  add_timer(it);
  *timer = (timer_t)(intptr_t)it.number;
  return 0;
}

/// Whether a timer is one of these; the system's own have numbers from 0 on, or addresses.
static bool is_known(timer_t timer) {
  pthread_mutex_lock(&timer_lock);
  bool is_known = number_of(timer) <= FIRST_POSIX_TIMER && *place_of(number_of(timer)) != NULL;
  pthread_mutex_unlock(&timer_lock);
  return is_known;
}

INTERPOSED int timer_settime(
    timer_t timer, int flags, const struct itimerspec *restrict value,
    struct itimerspec *restrict old) {
  if (!is_known(timer)) return ORIGINAL(timer_settime)(timer, flags, value, old);
  return result_of(set_timer(number_of(timer), (flags & TIMER_ABSTIME) != 0, value, old));
}

INTERPOSED int timer_gettime(timer_t timer, struct itimerspec *value) {
  if (!is_known(timer)) return ORIGINAL(timer_gettime)(timer, value);
  get_timer(number_of(timer), value);
  return 0;
}

INTERPOSED int timer_getoverrun(timer_t timer) {
  return is_known(timer) ? 0 : ORIGINAL(timer_getoverrun)(timer);
}

INTERPOSED int timer_delete(timer_t timer) {
  if (!is_known(timer)) return ORIGINAL(timer_delete)(timer);
  forget_timer(number_of(timer));
  return 0;
}

// ---- The one timer of every process

static struct timespec precise(struct timeval time) {
  return (struct timespec){.tv_sec = time.tv_sec, .tv_nsec = time.tv_usec * 1000};
}

static struct itimerval coarse(const struct itimerspec *value) {
  const struct timespec *first = &value->it_value, *next = &value->it_interval;
  return (struct itimerval){
      .it_value = {first->tv_sec, (first->tv_nsec + 999) / 1000},
      .it_interval = {next->tv_sec, next->tv_nsec / 1000}};
}

static void make_real_timer(void) {
  struct timer it = {.number = REAL_TIMER, .clock = CLOCK_MONOTONIC};
  it.event.sigev_signo = SIGALRM;
  add_timer(it);
}

static void set_real_timer(const struct itimerval *value, struct itimerval *old) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  struct itimerspec before, now = {precise(value->it_interval), precise(value->it_value)};
  pthread_once(&once, make_real_timer);
  set_timer(REAL_TIMER, false, &now, &before);
  if (old != NULL) *old = coarse(&before);
}

// glibc declares the kind as an enumeration.
INTERPOSED int setitimer(
    __itimer_which_t kind, const struct itimerval *restrict value, struct itimerval *restrict old) {
  if (kind == ITIMER_REAL && value != NULL) world_note_early(APPWORLD_EARLY_TIMERS, CALLER);
  if (kind != ITIMER_REAL || value == NULL || !world_covers_time()) {
    return ORIGINAL(setitimer)(kind, value, old);
  }
  set_real_timer(value, old);
  return 0;
}

INTERPOSED int getitimer(__itimer_which_t kind, struct itimerval *value) {
  if (kind != ITIMER_REAL || !world_covers_time()) return ORIGINAL(getitimer)(kind, value);
  struct itimerspec left;
  get_timer(REAL_TIMER, &left);
  *value = coarse(&left);
  return 0;
}

INTERPOSED unsigned int alarm(unsigned int seconds) {
  world_note_early(APPWORLD_EARLY_TIMERS, CALLER);
  if (!world_covers_time()) return ORIGINAL(alarm)(seconds);
  struct itimerval old, value = {.it_value.tv_sec = seconds};
  set_real_timer(&value, &old);
  return (unsigned int)old.it_value.tv_sec + (old.it_value.tv_usec > 0 ? 1 : 0);
}

bool world_is_timer_call(long number) {
  return number == SYS_timerfd_create || number == SYS_timerfd_settime ||
         number == SYS_timerfd_gettime || number == SYS_setitimer;
}

long world_timer_call(long number, const long *values) {
  void *value = (void *)values[number == SYS_timerfd_gettime || number == SYS_setitimer ? 1 : 2];
  switch (number) {
  case SYS_timerfd_create: return timerfd_create((clockid_t)values[0], (int)values[1]);
  case SYS_timerfd_gettime: return timerfd_gettime((int)values[0], value);
  case SYS_setitimer: return setitimer((__itimer_which_t)values[0], value, (void *)values[2]);
  default: return timerfd_settime((int)values[0], (int)values[1], value, (void *)values[3]);
  }
}

#endif
