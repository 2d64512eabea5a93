#include "World.h"

#if defined(__linux__)

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

// Random numbers that follow from a seed: the same in every run, in the order in which they are asked for.
// Nothing of the app reaches a network, so nobody relies on them.

ssize_t getrandom(void *bytes, size_t count, unsigned int flags);

const void *const world_random_definition = (const void *)getrandom;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t state;

void world_set_seed(uint64_t seed) { state = seed; }

/// SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014).
static uint64_t next(void) {
  uint64_t value = state += 0x9e3779b97f4a7c15;
  value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9;
  value = (value ^ value >> 27) * 0x94d049bb133111eb;
  return value ^ value >> 31;
}

static void fill_random(void *bytes, size_t count) {
  pthread_mutex_lock(&lock);
  for (size_t offset = 0; offset < count; offset += sizeof(uint64_t)) {
    uint64_t value = next();
    size_t left = count - offset;
    memcpy((char *)bytes + offset, &value, left < sizeof value ? left : sizeof value);
  }
  pthread_mutex_unlock(&lock);
}

INTERPOSED ssize_t getrandom(void *bytes, size_t count, unsigned int flags) {
  if (!world_covers_caller()) return ORIGINAL(getrandom)(bytes, count, flags);
  fill_random(bytes, count);
  return (ssize_t)count;
}

int getentropy(void *bytes, size_t count);

INTERPOSED int getentropy(void *bytes, size_t count) {
  if (!world_covers_caller() || count > 256) return ORIGINAL(getentropy)(bytes, count);
  fill_random(bytes, count);
  return 0;
}

/// Swift's runtime asks the kernel by number. All six registers are handed on, whatever they hold.
long syscall(long number, ...);

INTERPOSED long syscall(long number, ...) {
  long values[6];
  va_list arguments;
  va_start(arguments, number);
  for (int index = 0; index < 6; index++) values[index] = va_arg(arguments, long);
  va_end(arguments);
  if (number == SYS_getrandom && world_covers_caller()) {
    fill_random((void *)values[0], (size_t)values[1]);
    return values[1];
  }
  if (world_is_timer_call(number)) {
    world_note_early(APPWORLD_EARLY_TIMERS, CALLER);
    if (world_covers_caller()) return world_timer_call(number, values);
  }
  return ORIGINAL(syscall)(
      number, values[0], values[1], values[2], values[3], values[4], values[5]);
}

// From glibc 2.36 on.
uint32_t arc4random(void);
void arc4random_buf(void *bytes, size_t count);
uint32_t arc4random_uniform(uint32_t bound);

INTERPOSED void arc4random_buf(void *bytes, size_t count) {
  __typeof__(&arc4random_buf) original = ORIGINAL(arc4random_buf);
  if (!world_covers_caller() && original != NULL) return original(bytes, count);
  fill_random(bytes, count);
}

INTERPOSED uint32_t arc4random(void) {
  uint32_t value;
  arc4random_buf(&value, sizeof value);
  return value;
}

INTERPOSED uint32_t arc4random_uniform(uint32_t bound) {
  if (bound < 2) return 0;
  // Values below the remainder would make the small results likelier.
  uint32_t value, remainder = -bound % bound;
  do {
    value = arc4random();
  } while (value < remainder);
  return value % bound;
}

// ---- /dev/urandom

static bool is_random_device(const char *path) {
  return world_covers_caller() && path != NULL &&
         (strcmp(path, "/dev/urandom") == 0 || strcmp(path, "/dev/random") == 0);
}

static int note(int descriptor, const char *path) {
  if (descriptor >= 0 && is_random_device(path)) world_set_descriptor(descriptor, WORLD_RANDOM);
  return descriptor;
}

/// The mode of a call that may make a file; it is not there otherwise.
#define MODE(flags)                                           \
  ({                                                          \
    mode_t mode = 0;                                          \
    if (((flags) & (O_CREAT | O_TMPFILE)) != 0) {             \
      va_list arguments;                                      \
      va_start(arguments, flags);                             \
      mode = va_arg(arguments, mode_t);                       \
      va_end(arguments);                                      \
    }                                                         \
    mode;                                                     \
  })

INTERPOSED int open(const char *path, int flags, ...) {
  return note(ORIGINAL(open)(path, flags, MODE(flags)), path);
}

INTERPOSED int open64(const char *path, int flags, ...) {
  return note(ORIGINAL(open64)(path, flags, MODE(flags)), path);
}

INTERPOSED ssize_t read(int descriptor, void *bytes, size_t count) {
  if (world_descriptor(descriptor) != WORLD_RANDOM) {
    return ORIGINAL(read)(descriptor, bytes, count);
  }
  fill_random(bytes, count);
  return (ssize_t)count;
}

static ssize_t read_cookie(void *cookie, char *bytes, size_t count) {
  (void)cookie;
  fill_random(bytes, count);
  return (ssize_t)count;
}

INTERPOSED FILE *fopen(const char *restrict path, const char *restrict mode) {
  if (!is_random_device(path)) return ORIGINAL(fopen)(path, mode);
  FILE *file = fopencookie(NULL, mode, (cookie_io_functions_t){.read = read_cookie});
  // No more than is asked for is taken.
  if (file != NULL) setvbuf(file, NULL, _IONBF, 0);
  return file;
}

INTERPOSED FILE *fopen64(const char *restrict path, const char *restrict mode) {
  return fopen(path, mode);
}

#endif
