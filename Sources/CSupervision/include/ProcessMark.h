#ifndef CSUPERVISION_PROCESS_MARK_H
#define CSUPERVISION_PROCESS_MARK_H

#if defined(__linux__)
#include <stdint.h>
#include <sys/types.h>

/// A process's mark; 0 where it has none, or is gone.
///
/// `csupervision_spawn` sets it before the program runs, and all that the program starts inherits it,
/// whatever that does with its environment, its group and its session. The mark is the limit on file
/// locks, which Linux keeps for each process and has not applied since 2.4.25 (getrlimit(2),
/// RLIMIT_LOCKS). Where this process has such a limit itself, there is none unless root runs it.
uint64_t csupervision_mark_of_process(pid_t pid);
#endif

#endif
