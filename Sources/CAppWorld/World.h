#ifndef CAPPWORLD_WORLD_H
#define CAPPWORLD_WORLD_H

#if defined(__linux__)

#define _GNU_SOURCE
#include "CAppWorld.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/types.h>
#include <time.h>

/// Defines a function of a shared library; the library's own wins where it is linked statically.
#define INTERPOSED __attribute__((weak, visibility("default")))

/// The next function of that name: the library's own, looked up once.
///
/// `dlsym` gives the oldest version of a few symbols of glibc: those are asked for by version.
#define ORIGINAL(name)                                                  \
  ({                                                                    \
    static _Atomic(__typeof__(&name)) found;                            \
    __typeof__(&name) original = atomic_load_explicit(&found, memory_order_relaxed); \
    if (original == NULL) {                                             \
      original = (__typeof__(&name))world_find(#name);                  \
      atomic_store_explicit(&found, original, memory_order_relaxed);    \
    }                                                                   \
    original;                                                           \
  })

void *world_find(const char *name);

extern struct appworld_hooks world_hooks;
extern _Atomic bool world_is_active;
/// Whether time is taken over as well: not where libdispatch is linked statically.
extern _Atomic bool world_has_time;

struct world_thread {
  int kit_depth;
  /// The counted work that runs on this thread.
  int blocks, jobs;
};

extern _Thread_local struct world_thread world_thread;

/// Whether a call is the app's, or of a library under it, after the start.
static inline bool world_covers_caller(void) {
  return atomic_load_explicit(&world_is_active, memory_order_relaxed) && world_thread.kit_depth == 0;
}

static inline bool world_covers_time(void) {
  return atomic_load_explicit(&world_has_time, memory_order_relaxed) && world_thread.kit_depth == 0;
}

/// Notes what is begun before the start and keeps out of reach.
///
/// @param caller Who begins it: what libdispatch begins for itself doesn't matter.
void world_note_early(enum appworld_reach what, const void *caller);

/// Whether an address is in libdispatch, which needs the real time for its own threads.
bool world_is_dispatch(const void *address);

#define CALLER __builtin_return_address(0)

/// Whether a call keeps to the system's time: the kit's own, or libdispatch's.
#define IS_FOREIGN (!world_covers_time() || world_is_dispatch(CALLER))

// ---- Time

#define NANOSECONDS 1000000000LL

/// What the clock shows, in nanoseconds since its start.
int64_t world_now(void);

/// The clock's value on a clock of the system.
int64_t world_base(clockid_t clock);

/// A deadline by the clock from an absolute time of the system's, whichever of its clocks that is by.
int64_t world_deadline(const struct timespec *time);

/// `WORLD_FOREVER` where it is too long.
int64_t world_nanoseconds(const struct timespec *time);

/// The deadline of a wait for a duration, which is not negative; a moment that is shorter than what a date
/// can say passes at once.
int64_t world_limit(int64_t duration);

/// The deadline of a `dispatch_time_t` that is neither now nor for ever.
int64_t world_dispatch_deadline(uint64_t time);

#define WORLD_FOREVER INT64_MAX

/// The system's date after so many nanoseconds.
struct timespec world_real_date(int64_t left);

/// How often a timer that repeats was due by now beyond its first time; moves its deadline on.
static inline uint64_t world_catch_up(int64_t *deadline, int64_t interval) {
  *deadline += interval;
  if (*deadline > world_now()) return 0;
  int64_t missed = (world_now() - *deadline) / interval + 1;
  *deadline += missed * interval;
  return (uint64_t)missed;
}

// ---- Waits

/// The work of the calling thread doesn't run while it waits for another thread, or for the clock.
void world_begin_wait(void);
void world_end_wait(void);

/// What a waiting thread gives up, for who wakes it to take up before it runs.
struct world_work {
  int blocks, jobs;
};

struct world_work world_hand_over(void);
void world_take_up(struct world_work work);

/// A wait that nobody but the kit ends.
struct world_parking {
  /// The thread's number and the wait's; 0 before it.
  _Atomic uint64_t number;
  _Atomic bool is_over;
};

/// From here on the calling thread does nothing but wait.
void world_park(struct world_parking *parking);

/// Whoever ends the wait says so before; safe before it has begun, and to be called again.
void world_unpark(struct world_parking *parking);

/// The wait that a thread is in; 0 where there is none, and for the main thread, which signals interrupt.
uint64_t world_parking(int thread);

/// Looks after waits whose end came while they began.
void world_nudge(void);

// ---- Threads, as the kernel tells

/// Whether the kernel tells of this process in which calls its threads are.
bool world_tells_calls(void);

enum world_wait {
  /// Until another thread, or another process, does something.
  WORLD_ENDLESS,
  /// Until a child ends.
  WORLD_FOR_CHILD,
  /// At most until a time by the system's clock; also where another process's call isn't told.
  WORLD_LIMITED,
  /// It doesn't sleep.
  WORLD_AWAKE,
};

/// How a thread sleeps.
struct world_sleep {
  enum world_wait wait;
  /// Of `WORLD_FOR_CHILD`: which; 0 is any.
  pid_t child;
};

/// Reads a file of /proc, as far as there is room; false where there is nothing.
bool world_read_text(const char *path, char *text, size_t size);

/// @param thread Its folder in /proc.
/// @param is_own Whether it is of this process.
struct world_sleep world_sleep_of(const char *thread, bool is_own);

/// Whether no child of the process, and none of theirs, is at work that this process waits for; so it was at
/// one moment of this call at least.
///
/// @param waits_for Whether a thread waits for the end of a child.
bool world_children_rest(bool (*waits_for)(pid_t child));

// ---- Descriptors that stand for something else

enum world_descriptor { WORLD_PLAIN = 0, WORLD_TIMER = 1, WORLD_RANDOM = 2 };

enum world_descriptor world_descriptor(int descriptor);
void world_set_descriptor(int descriptor, enum world_descriptor kind);

/// Whether an object of libdispatch is a timer that the clock fires.
bool world_is_timer(void *object);

/// Calls of the system by number that set timers: nobody would see that a thread waits for the end of one.
bool world_is_timer_call(long number);
long world_timer_call(long number, const long *values);

void world_set_seed(uint64_t seed);

// ---- libdispatch, as far as it is needed

typedef uint64_t dispatch_time_t;
typedef void (*dispatch_function_t)(void *);
#define DISPATCH_TIME_NOW 0ULL
#define DISPATCH_TIME_FOREVER (~0ULL)
#define DISPATCH_WALLTIME_NOW (~1ULL)

void dispatch_async_f(void *queue, void *context, dispatch_function_t work);
void dispatch_retain(void *object);
void dispatch_release(void *object);

void *_Block_copy(const void *block);
void _Block_release(const void *block);

#endif
#endif
