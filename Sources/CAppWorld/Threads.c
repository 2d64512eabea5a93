#include "World.h"

#if defined(__linux__)

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// Whether all threads sleep, as the kernel tells.
//
// Three passes over them: how long each has run, whether it sleeps, and how long it has run again. Who ran
// between the first pass and the last has run longer since, or still did in the second. So from the second
// pass on none ran or was ready to, and what none of them does, nothing in the process does.

/// A line of schedstat: how long a thread has run, how long it waited for that, how often.
struct usage {
  char text[64];
};

struct thread {
  int id;
  /// Of /proc/self/task/ID/stat and schedstat, kept open.
  int stat, schedstat;
  struct usage usage;
  /// How it sleeps, as long as it hasn't run any longer than this.
  struct world_sleep sleep;
  struct usage judged;
  /// The last wait of the kit's in which it was asleep (see `world_park`); and whether it still is in that.
  uint64_t rest;
  bool is_parked;
  bool is_listed;
};

static struct thread *threads;
static int thread_count, thread_capacity;
static int folder = -1;

static int open_at(int id, const char *name) {
  char path[48];
  snprintf(path, sizeof path, "%d/%s", id, name);
  return openat(folder, path, O_RDONLY | O_CLOEXEC);
}

/// Forgets the threads that aren't listed any more.
static void forget_unlisted(void) {
  int count = 0;
  for (int index = 0; index < thread_count; index++) {
    if (threads[index].is_listed) {
      threads[count++] = threads[index];
    } else {
      close(threads[index].stat);
      close(threads[index].schedstat);
    }
  }
  thread_count = count;
}

static void unlist_threads(void) {
  for (int index = 0; index < thread_count; index++) threads[index].is_listed = false;
}

static void forget_threads(void) {
  unlist_threads();
  forget_unlisted();
}

static bool add_thread(int id) {
  if (thread_count == thread_capacity) {
    thread_capacity = thread_capacity == 0 ? 64 : 2 * thread_capacity;
    threads = realloc(threads, (size_t)thread_capacity * sizeof *threads);
  }
  struct thread thread = {.id = id, .is_listed = true, .stat = open_at(id, "stat")};
  thread.schedstat = open_at(id, "schedstat");
  threads[thread_count++] = thread;
  return thread.stat >= 0 && thread.schedstat >= 0;
}

/// @param place Where the search begins: the kernel lists threads in one order.
static bool keep_thread(int id, int *place) {
  for (int step = 0; step < thread_count; step++) {
    int index = (*place + step) % thread_count;
    if (threads[index].id != id) continue;
    *place = index + 1;
    return threads[index].is_listed = true;
  }
  return false;
}

struct entry {
  uint64_t inode;
  int64_t offset;
  unsigned short length;
  unsigned char type;
  char name[];
};

/// Opens the files of all threads but the calling one, as far as they aren't open.
static bool list_threads(void) {
  int self = (int)syscall(SYS_gettid);
  static _Alignas(struct entry) char buffer[16 * 1024];
  unlist_threads();
  if (lseek(folder, 0, SEEK_SET) != 0) return false;
  long count;
  bool all = true;
  int place = 0;
  while ((count = syscall(SYS_getdents64, folder, buffer, sizeof buffer)) > 0) {
    for (long offset = 0; offset < count;) {
      struct entry *entry = (struct entry *)(buffer + offset);
      offset += entry->length;
      int id = atoi(entry->name);
      if (id > 0 && id != self && !keep_thread(id, &place)) all = add_thread(id) && all;
    }
  }
  forget_unlisted();
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

static bool read_usage(const struct thread *thread, struct usage *usage) {
  memset(usage, 0, sizeof *usage);
  return pread(thread->schedstat, usage->text, sizeof usage->text, 0) > 0;
}

static bool is_same(const struct usage *one, const struct usage *other) {
  return memcmp(one->text, other->text, sizeof one->text) == 0;
}

/// Finds out how a thread sleeps, if it does.
static bool judge(struct thread *thread) {
  if (is_same(&thread->judged, &thread->usage)) return true;
  char path[48];
  snprintf(path, sizeof path, "/proc/self/task/%d", thread->id);
  thread->sleep = world_sleep_of(path, true);
  if (thread->sleep.wait == WORLD_AWAKE) return false;
  thread->judged = thread->usage;
  return true;
}

/// How long each thread has run. One that was asleep in a wait of the kit's, and still is in that, can't have
/// run: of many that wait for one time the files aren't read whenever one of them wakes.
static bool first_pass(void) {
  for (int index = 0; index < thread_count; index++) {
    struct thread *thread = &threads[index];
    uint64_t parking = world_parking(thread->id);
    thread->is_parked = parking != 0 && parking == thread->rest;
    if (thread->is_parked) continue;
    thread->rest = 0;
    if (!read_usage(thread, &thread->usage)) return false;
  }
  return true;
}

static enum state second_pass(void) {
  for (int index = 0; index < thread_count; index++) {
    struct thread *thread = &threads[index];
    if (thread->is_parked) continue;
    uint64_t parking = world_parking(thread->id);
    enum state state = state_of(thread);
    if (state != ASLEEP) return state;
    if (!judge(thread)) return AWAKE;
    thread->rest = parking;
  }
  return ASLEEP;
}

static bool third_pass(void) {
  for (int index = 0; index < thread_count; index++) {
    struct thread *thread = &threads[index];
    struct usage usage;
    if (thread->is_parked) continue;
    if (!read_usage(thread, &usage) || !is_same(&usage, &thread->usage)) return false;
    // It will go on by itself.
    if (atomic_load(&world_has_time) && thread->sleep.wait == WORLD_LIMITED) return false;
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
  enum state state = first_pass() ? second_pass() : GONE;
  if (state == GONE) forget_threads();
  if (state != ASLEEP) return false;
  // Between the passes, so that at one moment all was quiet.
  return world_children_rest(waits_for) && third_pass() && is_list_current();
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
