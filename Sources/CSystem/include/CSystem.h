#ifndef CSYSTEM_H
#define CSYSTEM_H

// The few system calls that Swift's importer does not show.

#if defined(__linux__)
/// The descriptor that is readable while the main dispatch queue holds work.
///
/// Exported by libdispatch for run loops; Foundation's own run loop waits on it.
int csystem_main_queue_handle(void);
#endif

#endif
