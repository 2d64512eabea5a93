#include "World.h"

#if defined(__linux__)

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// Whether all threads sleep, as the kernel tells.
//
// Two passes over them: each was asleep in both, and was given no processor between. So at the moment
// between the passes none ran, and what none of them does, nothing in the process does.

struct thread {
  int id;
  /// Of /proc/self/task/ID/stat and schedstat, kept open.
  int stat, schedstat;
  unsigned long slices;
  /// How it sleeps, as long as it has had no more time slices than these.
  struct world_sleep sleep;
  unsigned long judged_slices;
};

static struct thread *threads;
static int thread_count, thread_capacity;
static int folder = -1;

static int open_at(int id, const char *name) {
  char path[48];
  snprintf(path, sizeof path, "%d/%s", id, name);
  return openat(folder, path, O_RDONLY | O_CLOEXEC);
}

static void forget_threads(void) {
  for (int index = 0; index < thread_count; index++) {
    close(threads[index].stat);
    close(threads[index].schedstat);
  }
  thread_count = 0;
}

static bool add_thread(int id) {
  if (thread_count == thread_capacity) {
    thread_capacity = thread_capacity == 0 ? 64 : 2 * thread_capacity;
    threads = realloc(threads, (size_t)thread_capacity * sizeof *threads);
  }
  struct thread thread = {.id = id, .stat = open_at(id, "stat"), .judged_slices = ULONG_MAX};
  thread.schedstat = open_at(id, "schedstat");
  threads[thread_count++] = thread;
  return thread.stat >= 0 && thread.schedstat >= 0;
}

struct entry {
  uint64_t inode;
  int64_t offset;
  unsigned short length;
  unsigned char type;
  char name[];
};

/// Opens the files of all threads but the calling one.
static bool list_threads(void) {
  int self = (int)syscall(SYS_gettid);
  static _Alignas(struct entry) char buffer[16 * 1024];
  forget_threads();
  if (lseek(folder, 0, SEEK_SET) != 0) return false;
  long count;
  bool all = true;
  while ((count = syscall(SYS_getdents64, folder, buffer, sizeof buffer)) > 0) {
    for (long offset = 0; offset < count;) {
      struct entry *entry = (struct entry *)(buffer + offset);
      offset += entry->length;
      int id = atoi(entry->name);
      if (id > 0 && id != self) all = add_thread(id) && all;
    }
  }
  return all && count == 0;
}

/// Whether the threads are still those that were listed: the folder has a link for each, besides its own
/// two. One that was replaced by another shows when its files are read.
static bool is_list_current(void) {
  struct stat status;
  return fstat(folder, &status) == 0 && (int)status.st_nlink - 2 == thread_count + 1;
}

enum state { ASLEEP, AWAKE, GONE };

static enum state state_of(const struct thread *thread) {
  char text[256];
  ssize_t length = pread(thread->stat, text, sizeof text - 1, 0);
  if (length <= 0) return GONE;
  text[length] = 0;
  const char *name_end = strrchr(text, ')');
  if (name_end == NULL || name_end[1] != ' ') return AWAKE;
  return strchr("SZX", name_end[2]) != NULL ? ASLEEP : AWAKE;
}

/// The third number of schedstat: how often the thread was given a processor.
static bool slices_of(const struct thread *thread, unsigned long *slices) {
  char text[96];
  ssize_t length = pread(thread->schedstat, text, sizeof text - 1, 0);
  if (length <= 0) return false;
  text[length] = 0;
  const char *last = strrchr(text, ' ');
  if (last == NULL) return false;
  *slices = strtoul(last, NULL, 10);
  return true;
}

/// Finds out how a thread sleeps, if it does.
static bool judge(struct thread *thread) {
  if (thread->judged_slices == thread->slices) return true;
  char path[48];
  snprintf(path, sizeof path, "/proc/self/task/%d", thread->id);
  thread->sleep = world_sleep_of(path, true);
  if (thread->sleep.wait == WORLD_AWAKE) return false;
  thread->judged_slices = thread->slices;
  return true;
}

static enum state first_pass(void) {
  for (int index = 0; index < thread_count; index++) {
    struct thread *thread = &threads[index];
    if (!slices_of(thread, &thread->slices)) return GONE;
    enum state state = state_of(thread);
    if (state != ASLEEP) return state;
    if (!judge(thread)) return AWAKE;
  }
  return ASLEEP;
}

static bool second_pass(void) {
  for (int index = 0; index < thread_count; index++) {
    unsigned long slices;
    if (state_of(&threads[index]) != ASLEEP) return false;
    if (!slices_of(&threads[index], &slices) || slices != threads[index].slices) return false;
    // It will go on by itself.
    if (atomic_load(&world_has_time) && threads[index].sleep.wait == WORLD_LIMITED) return false;
  }
  return true;
}

static bool waits_for(pid_t child) {
  for (int index = 0; index < thread_count; index++) {
    const struct world_sleep *sleep = &threads[index].sleep;
    if (sleep->wait != WORLD_FOR_CHILD) continue;
    if (sleep->child == 0 || sleep->child == child) return true;
  }
  return false;
}

bool appworld_threads_sleep(void) {
  static bool is_untold;
  if (is_untold) return true;
  if (folder < 0) {
    folder = open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    is_untold = folder < 0 || access("/proc/self/schedstat", R_OK) != 0;
    if (is_untold) return true;
  }
  world_nudge();
  if (!is_list_current() && !list_threads()) return false;
  switch (first_pass()) {
  case ASLEEP:
    // Between the passes, so that at one moment all was quiet.
    return world_children_rest(waits_for) && second_pass() && is_list_current();
  case AWAKE: return false;
  case GONE: forget_threads(); return false;
  }
  return false;
}

int appworld_running_threads(void) {
  int count = 0;
  for (int index = 0; index < thread_count; index++) count += state_of(&threads[index]) == AWAKE;
  return count;
}

int appworld_limited_threads(void) {
  int count = 0;
  for (int index = 0; index < thread_count; index++) {
    const struct thread *thread = &threads[index];
    count += state_of(thread) == ASLEEP && thread->sleep.wait == WORLD_LIMITED;
  }
  return count;
}

#endif
