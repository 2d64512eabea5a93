#define _GNU_SOURCE
#include "MappedFile.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

/// More files than that aren't mapped at a time.
#define CAPACITY 64

static struct mapping {
  /// 0 where there is none; the size is set before it.
  _Atomic uintptr_t start;
  size_t size;
} mappings[CAPACITY];

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct sigaction earlier;
static uintptr_t page_size;

/// Puts zeros where the rest of a file was.
static int fill_rest(uintptr_t address, uintptr_t start, size_t size) {
  uintptr_t page = address & ~(page_size - 1);
  int flags = MAP_PRIVATE | MAP_ANON | MAP_FIXED;
  return mmap((void *)page, start + size - page, PROT_READ, flags, -1, 0) != MAP_FAILED;
}

static void take_fault(int number, siginfo_t *fault, void *context) {
  (void)context;
  uintptr_t address = (uintptr_t)fault->si_addr;
  for (int index = 0; index < CAPACITY; index++) {
    uintptr_t start = atomic_load(&mappings[index].start);
    if (start == 0 || address < start || address - start >= mappings[index].size) continue;
    if (fill_rest(address, start, mappings[index].size)) return;
  }
  // Nothing of ours: it happens again, and ends the process as ever.
  sigaction(number, &earlier, NULL);
}

static void install(void) {
  page_size = (uintptr_t)sysconf(_SC_PAGESIZE);
  struct sigaction action = {.sa_sigaction = take_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  sigemptyset(&action.sa_mask);
  sigaction(SIGBUS, &action, &earlier);
}

const void *csupervision_map(int descriptor, size_t size) {
  pthread_once(&once, install);
  void *start = mmap(NULL, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
  if (start == MAP_FAILED) return NULL;
  int index = 0;
  pthread_mutex_lock(&lock);
  while (index < CAPACITY && atomic_load(&mappings[index].start) != 0) index++;
  if (index < CAPACITY) {
    mappings[index].size = size;
    atomic_store(&mappings[index].start, (uintptr_t)start);
  }
  pthread_mutex_unlock(&lock);
  if (index < CAPACITY) return start;
  munmap(start, size);
  return NULL;
}

void csupervision_unmap(const void *start, size_t size) {
  pthread_mutex_lock(&lock);
  for (int index = 0; index < CAPACITY; index++) {
    if (atomic_load(&mappings[index].start) == (uintptr_t)start) {
      atomic_store(&mappings[index].start, 0);
      break;
    }
  }
  pthread_mutex_unlock(&lock);
  munmap((void *)start, size);
}
