#include "Meter.h"

#if defined(__linux__)

#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stddef.h>

// Stands between the program and the heap of glibc, which is the only one here.

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

static _Atomic long in_use, most;

static void *taken(void *place) {
  if (place == NULL) return NULL;
  long size = (long)malloc_usable_size(place);
  long now = atomic_fetch_add(&in_use, size) + size;
  long known = atomic_load(&most);
  while (now > known && !atomic_compare_exchange_weak(&most, &known, now)) {
  }
  return place;
}

static void given_back(void *place) {
  if (place != NULL) atomic_fetch_sub(&in_use, (long)malloc_usable_size(place));
}

void *malloc(size_t size) { return taken(__libc_malloc(size)); }
void *calloc(size_t count, size_t size) { return taken(__libc_calloc(count, size)); }
void *memalign(size_t alignment, size_t size) { return taken(__libc_memalign(alignment, size)); }
void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **place, size_t alignment, size_t size) {
  *place = memalign(alignment, size);
  return *place == NULL ? ENOMEM : 0;
}

void *realloc(void *place, size_t size) {
  given_back(place);
  void *other = __libc_realloc(place, size);
  // What couldn't grow is still there.
  return other == NULL && size > 0 ? (taken(place), NULL) : taken(other);
}

void free(void *place) {
  given_back(place);
  __libc_free(place);
}

long meter_begin(void) {
  long now = atomic_load(&in_use);
  atomic_store(&most, now);
  return now;
}

long meter_in_use(void) { return atomic_load(&in_use); }
long meter_most(void) { return atomic_load(&most); }

#else

long meter_begin(void) { return 0; }
long meter_in_use(void) { return 0; }
long meter_most(void) { return 0; }

#endif
