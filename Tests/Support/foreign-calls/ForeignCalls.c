#define _GNU_SOURCE
#include "ForeignCalls.h"

#if defined(__linux__)
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// Calls of the system that Swift doesn't show, as a C library makes them that knows of no kit.

#undef NDEBUG
#define MUST(condition) assert(condition)

static int select_one(const char *way, int descriptor, int milliseconds) {
  fd_set reading;
  FD_ZERO(&reading);
  FD_SET(descriptor, &reading);
  int count;
  if (strcmp(way, "select") == 0) {
    struct timeval limit = {milliseconds / 1000, milliseconds % 1000 * 1000};
    count = select(descriptor + 1, &reading, NULL, NULL, milliseconds < 0 ? NULL : &limit);
  } else {
    struct timespec limit = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
    sigset_t mask;
    sigemptyset(&mask);
    count = pselect(
        descriptor + 1, &reading, NULL, NULL, milliseconds < 0 ? NULL : &limit, &mask);
  }
  MUST(count == FD_ISSET(descriptor, &reading));
  return count;
}

static int epoll_one(const char *way, int descriptor, int milliseconds) {
  int list = epoll_create1(EPOLL_CLOEXEC);
  struct epoll_event event = {.events = EPOLLIN, .data.fd = descriptor}, told = {0};
  MUST(epoll_ctl(list, EPOLL_CTL_ADD, descriptor, &event) == 0);
  sigset_t mask;
  sigemptyset(&mask);
  int count = strcmp(way, "epoll_wait") == 0
                  ? epoll_wait(list, &told, 1, milliseconds)
                  : epoll_pwait(list, &told, 1, milliseconds, &mask);
  close(list);
  MUST(count == 0 || told.data.fd == descriptor);
  return count;
}

int foreign_wait(const char *way, int descriptor, int milliseconds) {
  struct pollfd state = {.fd = descriptor, .events = POLLIN};
  struct timespec limit = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
  sigset_t mask;
  sigemptyset(&mask);
  if (strstr(way, "select") != NULL) return select_one(way, descriptor, milliseconds);
  if (strstr(way, "epoll") != NULL) return epoll_one(way, descriptor, milliseconds);
  int count = strcmp(way, "poll") == 0
                  ? poll(&state, 1, milliseconds)
                  : ppoll(&state, 1, milliseconds < 0 ? NULL : &limit, &mask);
  MUST(count == ((state.revents & POLLIN) != 0));
  return count;
}

void foreign_wait_for_timer(int polls) {
  int timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
  struct itimerspec time = {.it_value.tv_sec = 1}, left;
  MUST(timerfd_settime(timer, 0, &time, NULL) == 0);
  MUST(timerfd_gettime(timer, &left) == 0 && left.it_value.tv_sec + left.it_value.tv_nsec > 0);
  if (polls) MUST(foreign_wait("poll", timer, -1) == 1);
  uint64_t count = 0;
  MUST(read(timer, &count, sizeof count) == sizeof count && count == 1);
  close(timer);
}

void foreign_wait_for_timer_by_number(void) {
  struct timespec date;
  MUST(timespec_get(&date, TIME_UTC) == TIME_UTC && date.tv_sec == time(NULL));
  int timer = (int)syscall(SYS_timerfd_create, CLOCK_MONOTONIC, TFD_CLOEXEC);
  struct itimerspec time = {.it_value.tv_sec = 1}, left;
  MUST(syscall(SYS_timerfd_settime, timer, 0, &time, NULL) == 0);
  MUST(syscall(SYS_timerfd_gettime, timer, &left) == 0 && left.it_value.tv_sec <= 1);
  uint64_t count = 0;
  MUST(read(timer, &count, sizeof count) == sizeof count && count == 1);
  close(timer);
}

static void (*later)(void);
static int signal_pipe[2];

static void note_signal(int signal) {
  char byte = (char)signal;
  MUST(write(signal_pipe[1], &byte, 1) == 1);
}

static void *wait_for_later(void *context) {
  char byte;
  MUST(read(signal_pipe[0], &byte, 1) == 1);
  later();
  return context;
}

static void call_later(union sigval value) { ((void (*)(void))value.sival_ptr)(); }

static void start_timer(struct sigevent *event) {
  timer_t timer;
  struct itimerspec time = {.it_value.tv_sec = 1}, left;
  MUST(timer_create(CLOCK_REALTIME, event, &timer) == 0);
  MUST(timer_settime(timer, 0, &time, NULL) == 0 && timer_gettime(timer, &left) == 0);
  MUST(left.it_value.tv_sec + left.it_value.tv_nsec > 0);
}

void foreign_call_later(const char *way, void (*function)(void)) {
  pthread_t thread;
  struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_value.sival_ptr = function};
  event.sigev_notify_function = call_later;
  if (strcmp(way, "thread") == 0) {
    start_timer(&event);
    return;
  }
  later = function;
  MUST(pipe(signal_pipe) == 0);
  MUST(pthread_create(&thread, NULL, wait_for_later, NULL) == 0);
  signal(SIGALRM, note_signal);
  if (strcmp(way, "timer_create") == 0) {
    start_timer(NULL);
  } else {
    struct itimerval time = {.it_value.tv_sec = 1};
    MUST(setitimer(ITIMER_REAL, &time, NULL) == 0);
  }
}

static const struct timespec moment = {.tv_nsec = 30000000};

static struct timespec date_after_moment(void) {
  struct timespec date;
  clock_gettime(CLOCK_REALTIME, &date);
  date.tv_nsec += moment.tv_nsec;
  date.tv_sec += date.tv_nsec / 1000000000;
  date.tv_nsec %= 1000000000;
  return date;
}

static void receive(void) {
  int ends[2];
  char byte;
  struct timeval limit = {.tv_usec = moment.tv_nsec / 1000};
  MUST(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  MUST(setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit) == 0);
  MUST(recv(ends[0], &byte, 1, 0) == -1 && errno == EAGAIN);
  close(ends[0]);
  close(ends[1]);
}

static void wait_for_signal(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  MUST(sigtimedwait(&set, NULL, &moment) == -1);
}

static void wait_for_semaphore(void) {
  sem_t semaphore;
  struct timespec date = date_after_moment();
  sem_init(&semaphore, 0, 0);
  MUST(sem_timedwait(&semaphore, &date) == -1 && errno == ETIMEDOUT);
  sem_destroy(&semaphore);
}

static void wait_for_mutex(void) {
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  struct timespec date = date_after_moment();
  pthread_mutex_trylock(&mutex);
  MUST(pthread_mutex_timedlock(&mutex, &date) == ETIMEDOUT);
}

void foreign_sleep(const char *way) {
  if (strcmp(way, "nanosleep") == 0) {
    MUST(syscall(SYS_nanosleep, &moment, NULL) == 0);
  } else if (strcmp(way, "ppoll") == 0) {
    MUST(syscall(SYS_ppoll, NULL, 0, &moment, NULL, 0) == 0);
  } else if (strcmp(way, "recv") == 0) {
    receive();
  } else if (strcmp(way, "sigtimedwait") == 0) {
    wait_for_signal();
  } else if (strcmp(way, "sem_timedwait") == 0) {
    wait_for_semaphore();
  } else {
    wait_for_mutex();
  }
}

pid_t foreign_spawn(const char *command, int descriptor) {
  extern char **environ;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  MUST(posix_spawn_file_actions_adddup2(&actions, descriptor, 3) == 0);
  char *arguments[] = {"sh", "-c", (char *)command, NULL};
  pid_t child;
  MUST(posix_spawn(&child, "/bin/sh", &actions, NULL, arguments, environ) == 0);
  posix_spawn_file_actions_destroy(&actions);
  return child;
}

int foreign_connected_child(pid_t *child) {
  // The system chooses a name.
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  socklen_t size = sizeof address.sun_family;
  int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  MUST(bind(listener, (struct sockaddr *)&address, size) == 0 && listen(listener, 1) == 0);
  size = sizeof address;
  MUST(getsockname(listener, (struct sockaddr *)&address, &size) == 0);
  *child = fork();
  if (*child == 0) {
    int end = socket(AF_UNIX, SOCK_STREAM, 0);
    if (connect(end, (struct sockaddr *)&address, size) != 0) _exit(1);
    execl("/bin/sh", "sh", "-c", "exec sleep 0.1", (char *)NULL);
    _exit(1);
  }
  int end = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
  MUST(end >= 0);
  close(listener);
  return end;
}

void foreign_wait_for_child(pid_t child) {
  int descriptor = (int)syscall(SYS_pidfd_open, child, 0);
  MUST(descriptor >= 0 && foreign_wait("poll", descriptor, -1) == 1);
  MUST(waitpid(child, NULL, 0) == child);
  close(descriptor);
}
#endif
