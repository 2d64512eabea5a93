#include "World.h"

#if defined(__linux__)

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

// Whether children of the process are at work that it waits for.
//
// One is at work where it runs, or sleeps until a time, and so is one whose own child is. The process waits
// for it where a thread waits for its end, or would hear of that, or of what it writes. What nobody waits
// for may go on for ever.

// ---- What this process would hear

struct numbers {
  unsigned long *values;
  int count, capacity;
};

static void add_number(struct numbers *numbers, unsigned long value) {
  if (numbers->count == numbers->capacity) {
    numbers->capacity = 2 * numbers->capacity + 16;
    numbers->values = realloc(numbers->values, (size_t)numbers->capacity * sizeof value);
  }
  numbers->values[numbers->count++] = value;
}

static bool has_number(const struct numbers *numbers, unsigned long value) {
  for (int index = 0; index < numbers->count; index++) {
    if (numbers->values[index] == value) return true;
  }
  return false;
}

/// What the descriptors of a process are, by the numbers of their files.
struct descriptors {
  struct numbers pipes_read, pipes_written, sockets;
  /// Of this process alone: who is at the other ends of its sockets.
  struct numbers peers;
  bool has_process;
};

/// Who connected to a socket of this process by its path, or listens there.
static void note_peer(struct descriptors *all, int descriptor) {
  struct ucred peer;
  socklen_t size = sizeof peer;
  if (getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.pid > 0) {
    add_number(&all->peers, (unsigned long)peer.pid);
  }
}

static void note_descriptor(struct descriptors *all, int folder, const char *name, bool is_own) {
  char text[64];
  struct stat status;
  unsigned long number;
  ssize_t length = readlinkat(folder, name, text, sizeof text - 1);
  if (length <= 0 || fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0) return;
  text[length] = 0;
  if (sscanf(text, "pipe:[%lu]", &number) == 1) {
    // The link's own permissions say what the descriptor is open for.
    if ((status.st_mode & S_IRUSR) != 0) add_number(&all->pipes_read, number);
    if ((status.st_mode & S_IWUSR) != 0) add_number(&all->pipes_written, number);
  } else if (sscanf(text, "socket:[%lu]", &number) == 1) {
    add_number(&all->sockets, number);
    if (is_own) note_peer(all, atoi(name));
  } else if (strstr(text, "pidfd") != NULL) {
    all->has_process = true;
  }
}

static struct descriptors descriptors_of(pid_t process) {
  struct descriptors all = {0};
  char path[32];
  snprintf(path, sizeof path, "/proc/%d/fd", process);
  DIR *folder = opendir(path);
  if (folder == NULL) return all;
  bool is_own = process == getpid();
  for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
    note_descriptor(&all, dirfd(folder), entry->d_name, is_own);
  }
  closedir(folder);
  return all;
}

static void free_descriptors(struct descriptors *all) {
  free(all->pipes_read.values);
  free(all->pipes_written.values);
  free(all->sockets.values);
  free(all->peers.values);
}

// The two ends of the last pairs of sockets: by one of them, `Foundation.Process` hears of a child's end.

#define PAIRS 256

static pthread_mutex_t pair_lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned long pairs[PAIRS][2];
static unsigned next_pair;

INTERPOSED int socketpair(int family, int type, int protocol, int ends[2]) {
  int result = ORIGINAL(socketpair)(family, type, protocol, ends);
  struct stat first, second;
  if (result == 0 && world_covers_caller() && fstat(ends[0], &first) == 0 &&
      fstat(ends[1], &second) == 0) {
    pthread_mutex_lock(&pair_lock);
    unsigned long *pair = pairs[next_pair++ % PAIRS];
    pair[0] = first.st_ino;
    pair[1] = second.st_ino;
    pthread_mutex_unlock(&pair_lock);
  }
  return result;
}

/// 0 where it isn't known.
static unsigned long peer_of(unsigned long socket) {
  unsigned long peer = 0;
  pthread_mutex_lock(&pair_lock);
  for (int index = 0; index < PAIRS; index++) {
    if (pairs[index][0] == socket) peer = pairs[index][1];
    if (pairs[index][1] == socket) peer = pairs[index][0];
  }
  pthread_mutex_unlock(&pair_lock);
  return peer;
}

/// Whether this process reads what another writes, or hears of its end: it has one end alone.
static bool hears(const struct descriptors *own, pid_t process) {
  struct descriptors all = descriptors_of(process);
  bool result = has_number(&own->peers, (unsigned long)process);
  for (int index = 0; index < all.pipes_written.count; index++) {
    unsigned long pipe = all.pipes_written.values[index];
    result |= has_number(&own->pipes_read, pipe) && !has_number(&own->pipes_written, pipe);
  }
  for (int index = 0; index < all.sockets.count; index++) {
    unsigned long socket = all.sockets.values[index];
    result |= has_number(&own->sockets, peer_of(socket)) && !has_number(&own->sockets, socket);
  }
  free_descriptors(&all);
  return result;
}

static bool hears_of_all_children(const struct descriptors *own) {
  struct sigaction action;
  if (own->has_process) return true;
  if (sigaction(SIGCHLD, NULL, &action) != 0) return false;
  return action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN;
}

// ---- What children do

/// A child with its descendants.
struct family {
  struct numbers members;
  bool is_busy;
  /// Differs if one of them had the processor.
  unsigned long slices;
};

bool world_read_text(const char *path, char *text, size_t size) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  ssize_t length = read(file, text, size - 1);
  close(file);
  text[length > 0 ? length : 0] = 0;
  return length > 0;
}

static void look_at_thread(struct family *family, const char *thread) {
  char path[80], text[512];
  snprintf(path, sizeof path, "%s/schedstat", thread);
  const char *last = world_read_text(path, text, sizeof text) ? strrchr(text, ' ') : NULL;
  if (last != NULL) family->slices = family->slices * 31 + strtoul(last, NULL, 10) + 1;
  snprintf(path, sizeof path, "%s/stat", thread);
  const char *name_end = world_read_text(path, text, sizeof text) ? strrchr(text, ')') : NULL;
  if (name_end == NULL || name_end[1] != ' ') return;
  switch (name_end[2]) {
  case 'S':
  case 'I': family->is_busy |= world_sleep_of(thread, false).wait >= WORLD_LIMITED; return;
  // Over, or stopped by somebody.
  case 'Z':
  case 'X':
  case 'T':
  case 't': return;
  default: family->is_busy = true;
  }
}

/// Calls for each thread of a process.
static void for_each_thread(
    pid_t process, void (*visit)(const char *thread, void *context), void *context) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/task", process);
  DIR *folder = opendir(path);
  if (folder == NULL) return;
  for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
    if (entry->d_name[0] == '.') continue;
    snprintf(path, sizeof path, "/proc/%d/task/%.20s", process, entry->d_name);
    visit(path, context);
  }
  closedir(folder);
}

static void add_children_of_thread(const char *thread, void *children) {
  char path[80];
  int child;
  snprintf(path, sizeof path, "%s/children", thread);
  FILE *file = fopen(path, "re");
  if (file == NULL) return;
  while (fscanf(file, "%d", &child) == 1) add_number(children, (unsigned long)child);
  fclose(file);
}

static void visit_thread(const char *thread, void *family) {
  look_at_thread(family, thread);
  add_children_of_thread(thread, &((struct family *)family)->members);
}

/// More descendants than that aren't looked at: one that has them is busy.
#define MEMBERS 1000

static struct family family_of(unsigned long child) {
  struct family family = {0};
  add_number(&family.members, child);
  for (int index = 0; index < family.members.count && index < MEMBERS; index++) {
    for_each_thread((pid_t)family.members.values[index], visit_thread, &family);
  }
  return family;
}

static bool is_heard_of(const struct family *family, const struct descriptors *own) {
  for (int index = 0; index < family->members.count; index++) {
    if (hears(own, (pid_t)family->members.values[index])) return true;
  }
  return false;
}

// ---- Both

static _Atomic pid_t busy_child;

/// Whether nothing is at work that is waited for; and how often what isn't at work had the processor.
static bool rest(bool (*waits_for)(pid_t), unsigned long *slices) {
  struct numbers children = {0};
  struct descriptors own = {0};
  bool knows_own = false, hears_of_all = false, result = true;
  *slices = 0;
  for_each_thread(getpid(), add_children_of_thread, &children);
  for (int index = 0; index < children.count && result; index++) {
    pid_t child = (pid_t)children.values[index];
    struct family family = family_of(child);
    if (family.is_busy && !knows_own) {
      own = descriptors_of(getpid());
      knows_own = true;
      hears_of_all = hears_of_all_children(&own);
    }
    result = !family.is_busy || !(hears_of_all || waits_for(child) || is_heard_of(&family, &own));
    if (!result) atomic_store(&busy_child, child);
    if (!family.is_busy) *slices = *slices * 31 + family.slices;
    free(family.members.values);
  }
  free(children.values);
  free_descriptors(&own);
  return result;
}

bool world_children_rest(bool (*waits_for)(pid_t)) {
  siginfo_t state;
  unsigned long before, after;
  atomic_store(&busy_child, 0);
  // Without a child, and without one that has ended, this is all.
  if (waitid(P_ALL, 0, &state, WEXITED | WNOHANG | WNOWAIT | __WALL) != 0) return true;
  return rest(waits_for, &before) && rest(waits_for, &after) && before == after;
}

int appworld_busy_child(char *name, size_t size) {
  char path[32];
  pid_t child = atomic_load(&busy_child);
  name[0] = 0;
  if (child == 0) return 0;
  snprintf(path, sizeof path, "/proc/%d/comm", child);
  if (world_read_text(path, name, size)) name[strcspn(name, "\n")] = 0;
  return child;
}

#endif
