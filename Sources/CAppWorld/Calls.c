#include "World.h"

#if defined(__linux__)

#include <linux/futex.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

// In which call of the system a thread sleeps: what the system ends after a time goes on by itself.

/// Of a thread that sleeps in no call, as one that was stopped.
#define NO_CALL (-1)

struct call {
  long number;
  unsigned long arguments[6];
};

/// Not known; or known not to sleep.
enum answer { UNTOLD, RUNNING, TOLD };

static enum answer read_call(const char *thread, struct call *call) {
  char path[64], text[256];
  snprintf(path, sizeof path, "%s/syscall", thread);
  if (!world_read_text(path, text, sizeof text)) return UNTOLD;
  unsigned long *values = call->arguments;
  int count = sscanf(
      text, "%ld %lx %lx %lx %lx %lx %lx", &call->number, &values[0], &values[1], &values[2],
      &values[3], &values[4], &values[5]);
  if (strncmp(text, "running", strlen("running")) == 0) return RUNNING;
  return count == 7 || (count >= 1 && call->number == NO_CALL) ? TOLD : UNTOLD;
}

static bool is_waiting_futex(unsigned long operation) {
  switch (operation & ~(unsigned long)(FUTEX_PRIVATE_FLAG | FUTEX_CLOCK_REALTIME)) {
  case FUTEX_WAIT:
  case FUTEX_WAIT_BITSET:
  case FUTEX_LOCK_PI:
  case FUTEX_LOCK_PI2:
  case FUTEX_WAIT_REQUEUE_PI: return true;
  default: return false;
  }
}

/// Whether a socket of this process has a limit for what is received by it, or sent.
static bool has_limit(int descriptor, int option) {
  struct timeval limit = {0};
  socklen_t size = sizeof limit;
  if (getsockopt(descriptor, SOL_SOCKET, option, &limit, &size) != 0) return false;
  return limit.tv_sec != 0 || limit.tv_usec != 0;
}

/// Calls on sockets, which may have a limit of their own. That of another process can't be asked for.
static bool is_limited_by_socket(const struct call *call) {
  int descriptor = (int)call->arguments[0];
  switch (call->number) {
  case SYS_read:
  case SYS_readv:
  case SYS_recvfrom:
  case SYS_recvmsg:
  case SYS_recvmmsg:
#if defined(SYS_accept)
  case SYS_accept:
#endif
  case SYS_accept4: return has_limit(descriptor, SO_RCVTIMEO);
  case SYS_write:
  case SYS_writev:
  case SYS_sendto:
  case SYS_sendmsg:
  case SYS_sendmmsg:
  case SYS_connect: return has_limit(descriptor, SO_SNDTIMEO);
  default: return false;
  }
}

/// Of the calls that the kernel begins again after a signal that nobody handles, and then tells under
/// another number, `poll` alone may be without a limit.
static bool is_endless_poll(const unsigned long *values) {
  bool has_list = values[0] > UINT16_MAX && values[1] > 0 && values[1] <= UINT16_MAX;
  return has_list && (int)values[2] == -1;
}

static bool is_limited(const struct call *call) {
  const unsigned long *values = call->arguments;
  switch (call->number) {
  case SYS_nanosleep:
  case SYS_clock_nanosleep: return true;
  case SYS_restart_syscall: return !is_endless_poll(values);
  case SYS_futex: return is_waiting_futex(values[1]) && values[3] != 0;
#if defined(SYS_poll)
  case SYS_poll: return (int)values[2] > 0;
  case SYS_select: return values[4] != 0;
  case SYS_epoll_wait: return (int)values[3] > 0;
#endif
  case SYS_ppoll:
  case SYS_rt_sigtimedwait: return values[2] != 0;
  case SYS_pselect6:
  case SYS_recvmmsg:
  case SYS_mq_timedreceive:
  case SYS_mq_timedsend:
  case SYS_io_getevents: return values[4] != 0;
  case SYS_epoll_pwait: return (int)values[3] > 0;
#if defined(SYS_epoll_pwait2)
  case SYS_epoll_pwait2:
#endif
  case SYS_semtimedop: return values[3] != 0;
  default: return false;
  }
}

bool world_tells_calls(void) {
  static _Atomic int answer;
  int known = atomic_load(&answer);
  if (known == 0) {
    struct call call;
    char path[48];
    snprintf(path, sizeof path, "/proc/self/task/%d", (int)syscall(SYS_gettid));
    // Its own is the call that reads it.
    known = read_call(path, &call) != UNTOLD ? 1 : -1;
    atomic_store(&answer, known);
  }
  return known > 0;
}

/// 0 where it isn't one alone.
static pid_t child_of(const struct call *call) {
  const unsigned long *values = call->arguments;
  if (call->number == SYS_waitid) return values[0] == P_PID ? (pid_t)values[1] : 0;
  return (int)values[0] > 0 ? (pid_t)values[0] : 0;
}

struct world_sleep world_sleep_of(const char *thread, bool is_own) {
  struct call call;
  if (is_own && !world_tells_calls()) return (struct world_sleep){WORLD_ENDLESS};
  switch (read_call(thread, &call)) {
  case UNTOLD: return (struct world_sleep){WORLD_LIMITED};
  case RUNNING: return (struct world_sleep){WORLD_AWAKE};
  case TOLD: break;
  }
  if (call.number == SYS_wait4 || call.number == SYS_waitid) {
    return (struct world_sleep){WORLD_FOR_CHILD, child_of(&call)};
  }
  bool has_end = is_limited(&call) || (is_own && is_limited_by_socket(&call));
  return (struct world_sleep){has_end ? WORLD_LIMITED : WORLD_ENDLESS};
}

#endif
