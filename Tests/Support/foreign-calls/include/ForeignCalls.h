#ifndef FOREIGN_CALLS_H
#define FOREIGN_CALLS_H

#if defined(__linux__)
#include <sys/types.h>

/// Waits until there is something to read, in the way of a name: "poll", "ppoll", "select", "pselect",
/// "epoll_wait", "epoll_pwait".
///
/// @param milliseconds -1 is for ever.
/// @returns 1, or 0 when the time is over.
int foreign_wait(const char *way, int descriptor, int milliseconds);

/// Waits for a second by a timer descriptor, after the calls that a loop makes before it reads.
void foreign_wait_for_timer(int polls);

/// The same by numbers of calls, past the C library's functions, after a look at a date.
void foreign_wait_for_timer_by_number(void);

/// Calls a function after a second, by a timer that sends a signal or starts a thread: "setitimer",
/// "timer_create", "thread". There is one at a time.
void foreign_call_later(const char *way, void (*function)(void));

/// Waits for 30 ms by the system's clock: "nanosleep", "ppoll" (both past the C library's functions),
/// "recv", "sigtimedwait", "sem_timedwait", "pthread_mutex_timedlock".
void foreign_sleep(const char *way);

/// Starts a shell with a command, and a descriptor as its third.
pid_t foreign_spawn(const char *command, int descriptor);

/// Starts a child that connects to a socket of this process and keeps the connection for 0.1 s.
///
/// @returns this process's end.
int foreign_connected_child(pid_t *child);

/// Waits for a child with `poll` on a descriptor for it.
void foreign_wait_for_child(pid_t child);
#endif

#endif
