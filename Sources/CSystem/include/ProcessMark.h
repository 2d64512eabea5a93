#ifndef CSYSTEM_PROCESS_MARK_H
#define CSYSTEM_PROCESS_MARK_H

#if defined(__linux__)
#include <stdint.h>
#include <sys/types.h>

/// Marks a process that was just started, and with it all that it will start: children inherit the
/// mark, whatever they do with their environment, their group and their session.
///
/// The mark is the limit on file locks, which Linux keeps for each process and has not applied since
/// 2.4.25 (getrlimit(2), RLIMIT_LOCKS). Fails where this process has such a limit itself.
int csystem_mark_process(pid_t pid, uint64_t mark);

/// Marks what this process starts from now on, until it is called with 0: so a process is marked
/// before it can start another one itself. The mark is final only once `csystem_mark_process` has set
/// it. Fails where this process has such a limit itself.
int csystem_mark_what_is_started(uint64_t mark);

/// A process's mark; 0 where it has none, or is gone.
uint64_t csystem_mark_of_process(pid_t pid);
#endif

#endif
