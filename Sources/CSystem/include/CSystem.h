#ifndef CSYSTEM_H
#define CSYSTEM_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "FileMark.h"
#include "ProcessMark.h"
#include "Watchdog.h"

// The few system calls that Swift's importer does not show, or shows only on one platform. Each
// returns what its system call returns: -1 with errno set, or an error number where it says so.

/// A pipe whose ends no child inherits: `ends[0]` to read, `ends[1]` to write.
int csystem_pipe(int ends[2]);

/// Starts a program with default signal actions, an empty signal mask, and no descriptor but the
/// three; in a process group of its own where that is wanted.
///
/// @param mark On Linux, the mark that it has from its first moment, see `ProcessMark.h`; 0: none.
/// @returns 0, or an error number.
int csystem_spawn(
    pid_t *pid, const char *program, char *const arguments[], char *const environment[],
    const char *directory, int input, int output, int error, bool has_own_group,
    uint64_t mark);

/// A descriptor that polls readable once the process has ended, whether or not it was reaped.
int csystem_exit_descriptor(pid_t pid);

/// How a process ended.
struct csystem_exit {
  pid_t pid;
  bool signaled;
  /// The signal's number, or the exit code.
  int code;
};

/// Looks at an ended child without reaping it; blocks until it has ended.
int csystem_wait_without_reaping(pid_t pid, struct csystem_exit *ended);

/// Reaps an ended child; returns its id, 0 where it still runs, or -1.
pid_t csystem_reap(pid_t pid);

/// Whether orphaned descendants become children of this process, so that they can be found. Does
/// nothing where the system has no such thing.
///
/// Returns what it was before: 1 or 0; -1 where that is not known.
int csystem_set_subreaper(bool is_subreaper);

/// Opens a file to hold a lock on it until it is closed; returns the descriptor, or -1 where another
/// process holds it.
int csystem_open_locked(const char *path);

#if defined(__linux__)
/// The descriptor that is readable while the main dispatch queue holds work.
///
/// Exported by libdispatch for run loops; Foundation's own run loop waits on it.
int csystem_main_queue_handle(void);

/// How many bytes of memory belong to an allocated block, as malloc has it.
size_t csystem_allocation_size(const void *block);
#endif

#endif
