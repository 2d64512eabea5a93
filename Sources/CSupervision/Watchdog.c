#define _GNU_SOURCE
#include "Watchdog.h"

#include "CSupervision.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#endif

struct csupervision_watchdog {
  pid_t pid;
  int lifeline;
  int capacity;
  char *environment_marker;
  /// Shared with the fork; 0 is a free place.
  _Atomic(pid_t) *groups;
};

// ---- In the fork: only system calls, static memory, and functions that touch no lock.

static void close_all_but(int kept) {
#if defined(__linux__) && defined(SYS_close_range)
  bool below = kept == 0 || syscall(SYS_close_range, 0, kept - 1, 0) == 0;
  if (below && syscall(SYS_close_range, kept + 1, ~0U, 0) == 0) return;
#endif
  long limit = sysconf(_SC_OPEN_MAX);
  if (limit < 0 || limit > 65536) limit = 65536;
  for (int descriptor = 0; descriptor < limit; descriptor++) {
    if (descriptor != kept) close(descriptor);
  }
}

#if defined(__linux__)

/// Waits until a killed process has ended, so that the next pass does not meet it again.
static void kill_and_wait(pid_t pid) {
  int notice = csupervision_exit_descriptor(pid);
  kill(pid, SIGKILL);
  if (notice < 0) return;
  struct pollfd waited = {.fd = notice, .events = POLLIN};
  poll(&waited, 1, 1000);
  close(notice);
}

static ssize_t read_file(const char *number, const char *name, char *text, size_t size) {
  char path[64];
  if (strlen(number) > 20) return -1;
  strcpy(stpcpy(stpcpy(stpcpy(path, "/proc/"), number), "/"), name);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return -1;
  size_t length = 0;
  for (ssize_t count = 1; count > 0 && length < size; length += (size_t)count) {
    count = read(file, text + length, size - length);
    if (count < 0) break;
  }
  close(file);
  return (ssize_t)length;
}

/// Whether a process has a thread that has not ended: the folder has a link for each, beside the first,
/// which stays, and those of any folder.
static bool has_other_threads(const char *number) {
  char path[64];
  struct stat status;
  if (strlen(number) > 20) return false;
  strcpy(stpcpy(stpcpy(path, "/proc/"), number), "/task");
  return stat(path, &status) == 0 && status.st_nlink > 3;
}

/// A zombie holds on to its mark, and can't be killed again; a process whose first thread has ended
/// looks like one.
static bool is_alive(const char *number) {
  char text[512];
  ssize_t length = read_file(number, "stat", text, sizeof text - 1);
  if (length <= 0) return false;
  text[length] = 0;
  const char *end = strrchr(text, ')');
  if (end == NULL || end[1] != ' ') return false;
  return strchr("ZX", end[2]) == NULL || has_other_threads(number);
}

static bool belongs_to(const char *number, pid_t pid, const char *marker, pid_t runner) {
  // More than that is not looked at: the variables of an app's launch come first.
  static char environment[256 * 1024];
  if (csupervision_mark_of_process(pid) >> 32 == (uint64_t)runner) return true;
  ssize_t length = read_file(number, "environ", environment, sizeof environment);
  return length > 0 && memmem(environment, (size_t)length, marker, strlen(marker)) != NULL;
}

struct directory_entry {
  uint64_t inode;
  int64_t offset;
  unsigned short length;
  unsigned char type;
  char name[];
};

/// One pass over all processes.
///
/// Returns how many were killed.
static int kill_marked(const char *marker, pid_t runner) {
  static _Alignas(struct directory_entry) char buffer[32 * 1024];
  int killed = 0;
  int folder = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return 0;
  long count;
  while ((count = syscall(SYS_getdents64, folder, buffer, sizeof buffer)) > 0) {
    for (long offset = 0; offset < count;) {
      struct directory_entry *entry = (struct directory_entry *)(buffer + offset);
      offset += entry->length;
      pid_t pid = 0;
      for (const char *c = entry->name; *c >= '0' && *c <= '9'; c++) pid = pid * 10 + (*c - '0');
      if (pid <= 1 || pid == getpid() || !is_alive(entry->name)) continue;
      if (!belongs_to(entry->name, pid, marker, runner)) continue;
      kill_and_wait(pid);
      killed++;
    }
  }
  close(folder);
  return killed;
}

#endif

static void end_apps(struct csupervision_watchdog *watchdog, pid_t runner) {
  for (int index = 0; index < watchdog->capacity; index++) {
    pid_t group = atomic_load(&watchdog->groups[index]);
    if (group > 1 && kill(-group, SIGKILL) != 0) kill(group, SIGKILL);
  }
#if defined(__linux__)
  // What is started while one pass runs is met by the next.
  for (int pass = 0; pass < 100; pass++) {
    if (kill_marked(watchdog->environment_marker, runner) == 0) return;
  }
#else
  (void)runner;
#endif
}

static void watch(struct csupervision_watchdog *watchdog, int lifeline, pid_t runner) {
  // What ends the runner's group or its terminal must not end this.
  setsid();
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, NULL);
#if defined(__linux__)
  prctl(PR_SET_NAME, "scenario-watch");
#endif
  close_all_but(lifeline);
  char byte;
  ssize_t count;
  do {
    count = read(lifeline, &byte, 1);
  } while (count < 0 && errno == EINTR);
  if (count == 0) end_apps(watchdog, runner);
  _exit(0);
}

// ---- In the runner.

static void release(struct csupervision_watchdog *watchdog) {
  if (watchdog->groups != MAP_FAILED) {
    munmap((void *)watchdog->groups, (size_t)watchdog->capacity * sizeof(pid_t));
  }
  free(watchdog->environment_marker);
  free(watchdog);
}

struct csupervision_watchdog *csupervision_watchdog_start(int capacity, const char *environment_marker) {
  struct csupervision_watchdog *watchdog = calloc(1, sizeof *watchdog);
  if (watchdog == NULL) return NULL;
  watchdog->capacity = capacity;
  watchdog->environment_marker = strdup(environment_marker);
  watchdog->groups = mmap(
      NULL, (size_t)capacity * sizeof(pid_t), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
      -1, 0);
  int ends[2];
  if (watchdog->environment_marker == NULL || watchdog->groups == MAP_FAILED ||
      csupervision_pipe(ends) != 0) {
    release(watchdog);
    return NULL;
  }
  pid_t runner = getpid();
  watchdog->lifeline = ends[1];
  watchdog->pid = fork();
  if (watchdog->pid == 0) watch(watchdog, ends[0], runner);
  close(ends[0]);
  if (watchdog->pid > 0) return watchdog;
  close(ends[1]);
  release(watchdog);
  return NULL;
}

pid_t csupervision_watchdog_process(const struct csupervision_watchdog *watchdog) { return watchdog->pid; }

void csupervision_watchdog_add(struct csupervision_watchdog *watchdog, pid_t group) {
  for (int index = 0; index < watchdog->capacity; index++) {
    pid_t free_place = 0;
    if (atomic_compare_exchange_strong(&watchdog->groups[index], &free_place, group)) return;
  }
}

void csupervision_watchdog_remove(struct csupervision_watchdog *watchdog, pid_t group) {
  for (int index = 0; index < watchdog->capacity; index++) {
    pid_t taken = group;
    if (atomic_compare_exchange_strong(&watchdog->groups[index], &taken, 0)) return;
  }
}

void csupervision_watchdog_stop(struct csupervision_watchdog *watchdog) {
  // Before the pipe closes, whose closing tells a death. Nothing is written to it: the process may
  // have other plans for SIGPIPE.
  kill(watchdog->pid, SIGKILL);
  close(watchdog->lifeline);
  while (waitpid(watchdog->pid, NULL, 0) < 0 && errno == EINTR) {
  }
  release(watchdog);
}
