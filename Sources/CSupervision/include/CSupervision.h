#ifndef CSUPERVISION_H
#define CSUPERVISION_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "MappedFile.h"
#include "ProcessMark.h"
#include "Seal.h"
#include "Watchdog.h"

// The few system calls that Swift's importer does not show, or shows only on one platform. Each
// returns what its system call returns: -1 with errno set, or an error number where it says so.

/// A pipe whose ends no child inherits: `ends[0]` to read, `ends[1]` to write.
int csupervision_pipe(int ends[2]);

/// Has signals of this kind handed over as bytes, from now on, unblocked in this thread; none is lost on the way, as it can be
/// between ignoring a signal and the registration of a dispatch source.
///
/// @returns The descriptor to read their numbers from, the same for every kind and never closed; else -1.
int csupervision_watch_signal(int number);

/// What is started, and how.
struct csupervision_launch {
  const char *program;
  /// Both end with a null pointer.
  char *const *arguments;
  char *const *environment;
  const char *directory;
  /// Its stdin, stdout and stderr.
  int descriptors[3];
  bool has_own_group;
  /// On Linux, the mark that it has from its first moment, see `ProcessMark.h`; 0: none.
  uint64_t mark;
  /// What keeps it from the network from its first moment.
  enum csupervision_seal seal;
};

/// Starts a program with default signal actions, an empty signal mask, and no descriptor but the
/// three; in a process group of its own where that is wanted.
///
/// @param listener Where the seal tells of attempts, the descriptor on which it does (see `Seal.h`),
///   to be closed by the caller; else -1.
/// @returns 0, or an error number.
int csupervision_spawn(const struct csupervision_launch *launch, pid_t *pid, int *listener);

/// A descriptor that polls readable once the process has ended, whether or not it was reaped.
int csupervision_exit_descriptor(pid_t pid);

/// How a process ended.
struct csupervision_exit {
  pid_t pid;
  bool signaled;
  /// The signal's number, or the exit code.
  int code;
};

/// Looks at an ended child without reaping it; blocks until it has ended.
int csupervision_wait_without_reaping(pid_t pid, struct csupervision_exit *ended);

/// Reaps an ended child; returns its id, 0 where it still runs, or -1.
pid_t csupervision_reap(pid_t pid);

/// Whether orphaned descendants become children of this process, so that they can be found. Does
/// nothing where the system has no such thing.
///
/// Returns what it was before: 1 or 0; -1 where that is not known.
int csupervision_set_subreaper(bool is_subreaper);

/// Starts a thread that nobody joins. Returns 0, or the error's number.
int csupervision_start_thread(void (*run)(void *), void *context);

/// Whether so many more threads can run at a time. Returns 0, or the error's number.
int csupervision_check_threads(int count);

/// Opens a file in a folder, no link followed, to hold a lock on it until it is closed; returns the
/// descriptor, or -1 where another process holds it, where it isn't there, or, to be created, is there.
int csupervision_open_locked(int folder, const char *name, bool creates);

#endif
