#ifndef CSYSTEM_H
#define CSYSTEM_H

#include <stddef.h>

#include "FileMark.h"
#include "Inflate.h"

// The few functions of the system that an app's side needs and Swift's importer does not show. What
// starts and ends processes is the runner's own, in CSupervision: no app links it.

#if defined(__linux__)
/// The descriptor that is readable while the main dispatch queue holds work.
///
/// Exported by libdispatch for run loops; Foundation's own run loop waits on it.
int csystem_main_queue_handle(void);
#endif

#endif
