#if !defined(__APPLE__)
#define _GNU_SOURCE
#endif
#include "FileMark.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__APPLE__)
#define MODIFIED(status) (status).st_mtimespec
#define ACCESSED(status) (status).st_atimespec
#else
#define MODIFIED(status) (status).st_mtim
#define ACCESSED(status) (status).st_atim
#endif

static bool is_equal(struct timespec left, struct timespec right) {
  return left.tv_sec == right.tv_sec && left.tv_nsec == right.tv_nsec;
}

static const struct timespec mark = {0, 0};

#if defined(__linux__)
// The name is given through /proc: by the descriptor alone only root may.
static const char descriptors[] = "/proc/self/fd";

int csystem_open_unnamed(const char *folder) {
  if (access(descriptors, X_OK) != 0) return -1;
  return open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
}

int csystem_name(int descriptor, const char *path) {
  char own[64];
  snprintf(own, sizeof own, "%s/%d", descriptors, descriptor);
  return linkat(AT_FDCWD, own, AT_FDCWD, path, AT_SYMLINK_FOLLOW);
}
#else
int csystem_open_unnamed(const char *folder) {
  (void)folder;
  errno = ENOTSUP;
  return -1;
}

int csystem_name(int descriptor, const char *path) {
  (void)descriptor;
  (void)path;
  errno = ENOTSUP;
  return -1;
}
#endif

bool csystem_mark_unwritten(int descriptor) {
  struct timespec times[2] = {mark, mark};
  struct stat status;
  return futimens(descriptor, times) == 0 && fstat(descriptor, &status) == 0 &&
         is_equal(MODIFIED(status), mark);
}

bool csystem_is_written(int descriptor) {
  struct stat status;
  if (fstat(descriptor, &status) != 0 || is_equal(MODIFIED(status), mark)) return false;
  // What sets both times to one moment is touch.
  return !is_equal(MODIFIED(status), ACCESSED(status));
}

bool csystem_contains(const void *bytes, size_t count, const char *text) {
  return memmem(bytes, count, text, strlen(text)) != NULL;
}
