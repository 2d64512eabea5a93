#include "World.h"

#if defined(__linux__)

#include <errno.h>
#include <semaphore.h>
#include <sys/time.h>
#include <unistd.h>

// Every clock of the system shows what the app's clock shows; sleeping waits for it.

/// What the clocks that never go back show at the start: as if the machine had run for a day. It is far
/// from every date, so that a time tells by which of the two it is meant.
static const int64_t uptime_at_start = 86400 * NANOSECONDS;

static int64_t date_at_start;
static _Atomic int64_t now;

// A microsecond late, for those who cut a date to milliseconds, as Foundation's ISO 8601 does: as a binary
// fraction a date may be a little too small, and then would bear the millisecond before.
void world_set_start(int64_t start) { date_at_start = start + 1000; }

void appworld_set_now(int64_t nanoseconds) { atomic_store(&now, nanoseconds); }

int64_t world_now(void) { return atomic_load(&now); }

int64_t appworld_now(void) { return world_now(); }

int64_t world_base(clockid_t clock) {
  switch (clock) {
  case CLOCK_REALTIME:
  case CLOCK_REALTIME_COARSE:
  case CLOCK_TAI: return date_at_start;
  default: return uptime_at_start;
  }
}

/// Whether a clock shows time, rather than what a process or a thread has used of it.
static bool is_time(clockid_t clock) {
  switch (clock) {
  case CLOCK_REALTIME:
  case CLOCK_REALTIME_COARSE:
  case CLOCK_TAI:
  case CLOCK_MONOTONIC:
  case CLOCK_MONOTONIC_COARSE:
  case CLOCK_MONOTONIC_RAW:
  case CLOCK_BOOTTIME: return true;
  default: return false;
  }
}

int64_t world_nanoseconds(const struct timespec *time) {
  if (time->tv_sec > INT64_MAX / NANOSECONDS - 1) return WORLD_FOREVER;
  return time->tv_sec * NANOSECONDS + time->tv_nsec;
}

static int64_t after(int64_t duration) {
  int64_t deadline;
  return __builtin_add_overflow(world_now(), duration, &deadline) ? WORLD_FOREVER : deadline;
}

int64_t world_deadline(const struct timespec *time) {
  int64_t value = world_nanoseconds(time);
  if (value == WORLD_FOREVER) return WORLD_FOREVER;
  return value - (value < date_at_start / 2 ? uptime_at_start : date_at_start);
}

int64_t appworld_real_nanoseconds(void) {
  struct timespec time;
  ORIGINAL(clock_gettime)(CLOCK_MONOTONIC, &time);
  return world_nanoseconds(&time);
}

struct timespec world_real_date(int64_t left) {
  struct timespec date;
  ORIGINAL(clock_gettime)(CLOCK_REALTIME, &date);
  date.tv_nsec += left % NANOSECONDS;
  date.tv_sec += left / NANOSECONDS + date.tv_nsec / NANOSECONDS;
  date.tv_nsec %= NANOSECONDS;
  return date;
}

// ---- Reading

INTERPOSED int clock_gettime(clockid_t clock, struct timespec *time) {
  if (IS_FOREIGN || !is_time(clock)) {
    return ORIGINAL(clock_gettime)(clock, time);
  }
  int64_t value = world_base(clock) + world_now();
  time->tv_sec = value / NANOSECONDS;
  time->tv_nsec = value % NANOSECONDS;
  return 0;
}

INTERPOSED int gettimeofday(struct timeval *restrict time, void *restrict zone) {
  if (IS_FOREIGN) return ORIGINAL(gettimeofday)(time, zone);
  int64_t value = world_base(CLOCK_REALTIME) + world_now();
  time->tv_sec = value / NANOSECONDS;
  time->tv_usec = value % NANOSECONDS / 1000;
  return 0;
}

INTERPOSED time_t time(time_t *result) {
  if (!world_covers_time()) return ORIGINAL(time)(result);
  time_t seconds = (world_base(CLOCK_REALTIME) + world_now()) / NANOSECONDS;
  if (result != NULL) *result = seconds;
  return seconds;
}

/// The C library's own doesn't call `clock_gettime` by name.
INTERPOSED int timespec_get(struct timespec *time, int base) {
  if (IS_FOREIGN || base != TIME_UTC) return ORIGINAL(timespec_get)(time, base);
  return clock_gettime(CLOCK_REALTIME, time) == 0 ? base : 0;
}

// ---- libdispatch's times
//
// Its encoding: an uptime as it is, a date as its negative, an uptime that counts sleep with the highest
// bit set (src/shims/time.h). What is relative to now is relative to our now; the rest is arithmetic.

#define SLEEP_COUNTS (1ULL << 63)
#define IS_DATE (3ULL << 62)

dispatch_time_t dispatch_time(dispatch_time_t since, int64_t delta);
dispatch_time_t dispatch_walltime(const struct timespec *since, int64_t delta);

INTERPOSED dispatch_time_t dispatch_time(dispatch_time_t since, int64_t delta) {
  if (!IS_FOREIGN) {
    uint64_t uptime = (uint64_t)(world_base(CLOCK_MONOTONIC) + world_now());
    if (since == DISPATCH_TIME_NOW) since = uptime;
    if (since == SLEEP_COUNTS) since = SLEEP_COUNTS | uptime;
    if (since == DISPATCH_WALLTIME_NOW) {
      since = -(uint64_t)(world_base(CLOCK_REALTIME) + world_now());
    }
  }
  return ORIGINAL(dispatch_time)(since, delta);
}

INTERPOSED dispatch_time_t dispatch_walltime(const struct timespec *since, int64_t delta) {
  if (since != NULL || IS_FOREIGN) {
    return ORIGINAL(dispatch_walltime)(since, delta);
  }
  struct timespec date;
  clock_gettime(CLOCK_REALTIME, &date);
  return ORIGINAL(dispatch_walltime)(&date, delta);
}

int64_t world_dispatch_deadline(uint64_t time) {
  if (time == DISPATCH_TIME_FOREVER) return WORLD_FOREVER;
  if (time == DISPATCH_TIME_NOW || time == DISPATCH_WALLTIME_NOW) return world_now();
  if ((time & IS_DATE) == IS_DATE) return (int64_t)-time - date_at_start;
  return (int64_t)(time & ~SLEEP_COUNTS) - uptime_at_start;
}

// ---- Sleeping

struct sleeper {
  sem_t is_due;
  struct world_parking parking;
  struct world_work work;
};

static void wake(void *context, uint64_t generation) {
  (void)generation;
  struct sleeper *sleeper = context;
  world_unpark(&sleeper->parking);
  world_take_up(sleeper->work);
  sem_post(&sleeper->is_due);
}

/// Waits until the clock shows `deadline`.
static void sleep_until(int64_t deadline) {
  if (deadline <= world_now()) return;
  struct sleeper sleeper = {.work = {0}};
  sem_init(&sleeper.is_due, 0, 0);
  world_begin_wait();
  sleeper.work = world_hand_over();
  world_hooks.schedule(deadline, wake, &sleeper, 0);
  world_park(&sleeper.parking);
  while (sem_wait(&sleeper.is_due) != 0 && errno == EINTR) {
  }
  world_end_wait();
  sem_destroy(&sleeper.is_due);
}

static void sleep_for(int64_t duration) {
  if (duration > 0) sleep_until(after(duration));
}

/// What is left of a date that a thread sleeps until, when the clock shows it: a date is a `Double` of
/// seconds since 2001, off by up to a quarter of a microsecond. The thread goes on sleeping until nothing is
/// left, so such a moment passes at once.
static bool pass_moment(int64_t duration) {
  if (duration >= 1000) return false;
  world_hooks.tick(duration > 250 ? duration : 250);
  return true;
}

int64_t world_limit(int64_t duration) {
  return duration > 0 && pass_moment(duration) ? world_now() : after(duration);
}

INTERPOSED int nanosleep(const struct timespec *duration, struct timespec *left) {
  if (IS_FOREIGN) return ORIGINAL(nanosleep)(duration, left);
  int64_t nanoseconds = world_nanoseconds(duration);
  if (!pass_moment(nanoseconds)) sleep_for(nanoseconds);
  return 0;
}

INTERPOSED int clock_nanosleep(
    clockid_t clock, int flags, const struct timespec *time, struct timespec *left) {
  if (!world_covers_time() || !is_time(clock)) {
    return ORIGINAL(clock_nanosleep)(clock, flags, time, left);
  }
  if ((flags & TIMER_ABSTIME) != 0) {
    sleep_until(world_nanoseconds(time) - world_base(clock));
  } else {
    sleep_for(world_nanoseconds(time));
  }
  return 0;
}

INTERPOSED int usleep(useconds_t duration) {
  if (IS_FOREIGN) return ORIGINAL(usleep)(duration);
  sleep_for(duration * 1000LL);
  return 0;
}

INTERPOSED unsigned int sleep(unsigned int duration) {
  if (IS_FOREIGN) return ORIGINAL(sleep)(duration);
  sleep_for(duration * NANOSECONDS);
  return 0;
}

#endif
