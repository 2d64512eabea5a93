#ifndef CAPPWORLD_H
#define CAPPWORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Stands between an app and the libraries under it, so that its work is seen, its time follows a
// clock, and its random numbers follow from a seed, without a line of the app changed.
//
// The executable defines functions of shared libraries; the dynamic linker binds every caller to
// them. The definitions are weak: in a program that has the libraries linked into it, theirs win,
// and nothing here has an effect. Until `appworld_activate` is called, and in threads of the kit,
// each hands its call on as it is. On systems other than Linux there is none of it.

/// What work is counted as.
enum appworld_work {
  /// On a queue, not begun.
  APPWORLD_QUEUED = 0,
  /// A block that runs.
  APPWORLD_BLOCK = 1,
  /// A job of Swift concurrency, from enqueued to run.
  APPWORLD_JOB = 2,
};

/// What the kit gives: its counter and its clock.
struct appworld_hooks {
  void (*begin)(enum appworld_work);
  void (*end)(enum appworld_work);
  /// Work that was `APPWORLD_QUEUED` is an `APPWORLD_BLOCK` from now on.
  void (*start)(void);
  /// Calls `fire` once when the clock shows `deadline`, in nanoseconds since its start, at once
  /// where it does. Returns what cancels it.
  uint64_t (*schedule)(
      int64_t deadline, void (*fire)(void *, uint64_t), void *context, uint64_t generation);
  /// Returns whether `fire` will not be called any more.
  bool (*cancel)(uint64_t ticket);
  /// Moves what the clock shows, without anything falling due.
  void (*tick)(int64_t nanoseconds);
  /// Gets each `URLSessionConfiguration` that anyone asks for, before they do.
  void (*configure)(void *configuration);
};

/// What of the app is reached.
enum appworld_reach {
  APPWORLD_WORK = 1,
  APPWORLD_TIME = 2,
  APPWORLD_RANDOM = 4,
  APPWORLD_SESSIONS = 8,
  APPWORLD_THREADS = 16,
  /// In which calls of the system threads wait, and what children do.
  APPWORLD_CALLS = 32,
  /// Not reached: a session, or the configuration of one, was made before.
  APPWORLD_EARLY_SESSIONS = 64,
  /// Not reached: a timer was set, or a run loop got its timer, before.
  APPWORLD_EARLY_TIMERS = 128,
};

/// Takes the world over; to be called first in `main`, once.
///
/// @param start The date at which the clock starts, in nanoseconds since 1970.
/// @returns a set of `appworld_reach`.
int appworld_activate(const struct appworld_hooks *hooks, int64_t start, uint64_t seed);

/// What the clock shows, in nanoseconds since its start.
void appworld_set_now(int64_t nanoseconds);
int64_t appworld_now(void);

/// Between these, the calling thread is the kit's: its work isn't counted, its time is real.
void appworld_enter_kit(void);
void appworld_leave_kit(void);

/// Between these, a thread of the kit does what the app asked for. Returns what `appworld_end_app_work`
/// needs.
int appworld_begin_app_work(void);
void appworld_end_app_work(int depth);

/// Real time that never goes back, in nanoseconds.
int64_t appworld_real_nanoseconds(void);

#if defined(__linux__)
/// Puts a job of Swift concurrency on a global dispatch queue, counted from now until it has run.
///
/// @param quality The quality of service of the queue, as `qos_class_t` has it; 0 is the main queue.
void appworld_enqueue_job(long quality, void (*run)(void *job), void *job);

/// Has the clock run a job of Swift concurrency when it shows `deadline`.
void appworld_schedule_job(
    int64_t deadline, long quality, void (*run)(void *job), void *job);
#endif

/// How many dispatch queues are suspended: what waits on them isn't ready to run.
int appworld_suspended_queues(void);

/// Whether everything that was ready to run on dispatch queues, when this was called, has got a thread within
/// so many nanoseconds; to be called again where it hasn't, by one thread.
bool appworld_pools_flow(int64_t patience);

/// Whether the main thread waits for the clock or for another thread.
bool appworld_main_thread_waits(void);

/// Whether every other thread of the process sleeps, and did so at one moment at least; work that was
/// ready to run then, and had a thread, would have been seen. One that the system wakes after a time
/// doesn't sleep, where time is the app's clock's. And whether no child is at work that a thread waits for.
///
/// Where the system doesn't tell, it is always so.
bool appworld_threads_sleep(void);

/// How many threads the process has besides the calling one that don't sleep, for messages.
int appworld_running_threads(void);

/// How many of those that sleep wait for a time by the system's clock, for messages.
int appworld_limited_threads(void);

/// The child that is waited for and kept the last look from finding all asleep, for messages: 0 where there
/// was none.
///
/// @param name Gets its program's name.
int appworld_busy_child(char *name, size_t size);

/// Ends the process after its standard streams have been flushed, without tearing down its objects.
_Noreturn void appworld_exit(int code);

#endif
