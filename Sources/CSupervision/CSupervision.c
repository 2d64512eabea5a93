#define _GNU_SOURCE
#include "CSupervision.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/prctl.h>
#include <sys/syscall.h>
#else
#include <sys/event.h>
#endif

int csupervision_pipe(int ends[2]) {
#if defined(__linux__)
  return pipe2(ends, O_CLOEXEC);
#else
  if (pipe(ends) != 0) return -1;
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  return 0;
#endif
}

static int signal_ends[2] = {-1, -1};

static void hand_over(int number) {
  int error = errno;
  unsigned char byte = (unsigned char)number;
  // The pipe is full only where thousands wait; one more would tell nothing.
  (void)!write(signal_ends[1], &byte, 1);
  errno = error;
}

int csupervision_watch_signal(int number) {
  if (signal_ends[0] < 0) {
    int ends[2];
    if (csupervision_pipe(ends) != 0) return -1;
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    fcntl(ends[1], F_SETFL, O_NONBLOCK);
    signal_ends[0] = ends[0];
    signal_ends[1] = ends[1];
  }
  struct sigaction action = {.sa_handler = hand_over, .sa_flags = SA_RESTART};
  sigemptyset(&action.sa_mask);
  // Whoever started this process from a thread that blocks signals, has blocked them here, too.
  sigset_t own;
  sigemptyset(&own);
  sigaddset(&own, number);
  pthread_sigmask(SIG_UNBLOCK, &own, NULL);
  return sigaction(number, &action, NULL) == 0 ? signal_ends[0] : -1;
}

int csupervision_exit_descriptor(pid_t pid) {
#if defined(__linux__)
  return (int)syscall(SYS_pidfd_open, pid, 0);
#else
  int queue = kqueue();
  if (queue < 0) return -1;
  fcntl(queue, F_SETFD, FD_CLOEXEC);
  struct kevent change;
  EV_SET(&change, pid, EVFILT_PROC, EV_ADD, NOTE_EXIT, 0, NULL);
  if (kevent(queue, &change, 1, NULL, 0, NULL) != 0 && errno != ESRCH) {
    close(queue);
    return -1;
  }
  return queue;
#endif
}

int csupervision_wait_without_reaping(pid_t pid, struct csupervision_exit *ended) {
  siginfo_t info;
  memset(&info, 0, sizeof info);
  int result;
  do {
    result = waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT);
  } while (result != 0 && errno == EINTR);
  if (result != 0) return -1;
  ended->pid = info.si_pid;
  ended->signaled = info.si_code != CLD_EXITED;
  ended->code = info.si_status;
  return 0;
}

pid_t csupervision_reap(pid_t pid) {
  pid_t result;
  do {
    result = waitpid(pid, NULL, WNOHANG);
  } while (result < 0 && errno == EINTR);
  return result;
}

int csupervision_set_subreaper(bool is_subreaper) {
#if defined(__linux__)
  int was_subreaper = 0;
  if (prctl(PR_GET_CHILD_SUBREAPER, &was_subreaper, 0, 0, 0) != 0) return -1;
  if (prctl(PR_SET_CHILD_SUBREAPER, is_subreaper, 0, 0, 0) != 0) return -1;
  return was_subreaper;
#else
  (void)is_subreaper;
  return 0;
#endif
}

int csupervision_open_locked(int folder, const char *name, bool creates) {
  int flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | (creates ? O_CREAT | O_EXCL : 0);
  int descriptor = openat(folder, name, flags, 0600);
  if (descriptor < 0) return -1;
  if (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    close(descriptor);
    return -1;
  }
  return descriptor;
}

struct start {
  void (*run)(void *);
  void *context;
};

static void *run_detached(void *argument) {
  struct start start = *(struct start *)argument;
  free(argument);
  start.run(start.context);
  return NULL;
}

int csupervision_start_thread(void (*run)(void *), void *context) {
  struct start *start = malloc(sizeof *start);
  if (start == NULL) return ENOMEM;
  *start = (struct start){run, context};
  pthread_t thread;
  int error = pthread_create(&thread, NULL, run_detached, start);
  if (error != 0) {
    free(start);
    return error;
  }
  pthread_detach(thread);
  return 0;
}

static void *wait_for(void *mutex) {
  pthread_mutex_lock(mutex);
  pthread_mutex_unlock(mutex);
  return NULL;
}

int csupervision_check_threads(int count) {
  pthread_t threads[64];
  if (count > 64) count = 64;
  // All of them live until it is free.
  pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&held);
  int started = 0, error = 0;
  while (started < count && error == 0) {
    error = pthread_create(&threads[started], NULL, wait_for, &held);
    if (error == 0) started++;
  }
  pthread_mutex_unlock(&held);
  while (started > 0) pthread_join(threads[--started], NULL);
  return error;
}
