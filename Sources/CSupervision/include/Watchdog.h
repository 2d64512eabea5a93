#ifndef CSUPERVISION_WATCHDOG_H
#define CSUPERVISION_WATCHDOG_H

#include <stdint.h>
#include <sys/types.h>

/// A process that ends the apps of this one where this one dies before it has done so, as by
/// SIGKILL, which it can't heed.
///
/// It is a fork that calls nothing but what is safe after a fork of a process with threads, has a
/// session of its own, and holds no descriptor but the end of a pipe whose closing tells the death.
struct csupervision_watchdog;

/// Starts it.
///
/// On Linux it also ends whatever has `environment_marker` in its environment, or a mark whose upper
/// half is this process's id.
///
/// @param capacity How many apps run at a time at most.
/// @returns NULL where there is no memory or no process for it.
struct csupervision_watchdog *csupervision_watchdog_start(int capacity, const char *environment_marker);

/// The watchdog's own process.
pid_t csupervision_watchdog_process(const struct csupervision_watchdog *watchdog);

/// Adds the process group of an app that was started.
void csupervision_watchdog_add(struct csupervision_watchdog *watchdog, pid_t group);

/// Removes the group of an app, before it is reaped.
void csupervision_watchdog_remove(struct csupervision_watchdog *watchdog, pid_t group);

/// Ends the watchdog, which then ends nothing.
void csupervision_watchdog_stop(struct csupervision_watchdog *watchdog);

#endif
