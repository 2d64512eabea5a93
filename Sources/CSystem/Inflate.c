#include "Inflate.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

// zlib's own declarations (zlib.h): its ABI hasn't changed since 1.2, and it compares the version and
// the size of the stream itself. Not every machine that has the library has the header.
typedef struct {
  const uint8_t *next_in;
  unsigned avail_in;
  unsigned long total_in;
  uint8_t *next_out;
  unsigned avail_out;
  unsigned long total_out;
  const char *msg;
  void *state;
  void *(*zalloc)(void *, unsigned, unsigned);
  void (*zfree)(void *, void *);
  void *opaque;
  int data_type;
  unsigned long adler;
  unsigned long reserved;
} stream;

enum { Z_OK = 0, Z_STREAM_END = 1, Z_BUF_ERROR = -5, Z_MEM_ERROR = -4, Z_NO_FLUSH = 0 };

static const char *(*zlib_version)(void);
static int (*inflate_init)(stream *, int, const char *, int);
static int (*inflate_step)(stream *, int);
static int (*inflate_reset)(stream *);
static int (*inflate_end)(stream *);
static pthread_once_t loading = PTHREAD_ONCE_INIT;

static void load(void) {
#if defined(__APPLE__)
  void *library = dlopen("/usr/lib/libz.1.dylib", RTLD_NOW | RTLD_LOCAL);
#else
  void *library = dlopen("libz.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) library = dlopen("libz.so", RTLD_NOW | RTLD_LOCAL);
#endif
  if (library == NULL) return;
  *(void **)&zlib_version = dlsym(library, "zlibVersion");
  *(void **)&inflate_init = dlsym(library, "inflateInit2_");
  *(void **)&inflate_step = dlsym(library, "inflate");
  *(void **)&inflate_reset = dlsym(library, "inflateReset");
  *(void **)&inflate_end = dlsym(library, "inflateEnd");
}

/// Makes the output twice as long, up to the limit and one byte more, which tells that it is passed.
static csystem_inflate_status grow(stream *z, uint8_t **output, size_t *size, size_t limit) {
  size_t used = *size - z->avail_out;
  if (used > limit) return CSYSTEM_INFLATE_TOO_LARGE;
  size_t wanted = *size < 4096 ? 4096 : *size * 2;
  if (wanted > limit + 1) wanted = limit + 1;
  if (wanted - used > UINT_MAX) return CSYSTEM_INFLATE_TOO_LARGE;
  uint8_t *longer = realloc(*output, wanted);
  if (longer == NULL) return CSYSTEM_INFLATE_TOO_LARGE;
  *output = longer;
  *size = wanted;
  z->next_out = longer + used;
  z->avail_out = (unsigned)(wanted - used);
  return CSYSTEM_INFLATED;
}

static csystem_inflate_status unpack(
    stream *z, csystem_packing packing, size_t limit, uint8_t **output, size_t *size) {
  for (;;) {
    if (z->avail_out == 0) {
      csystem_inflate_status status = grow(z, output, size, limit);
      if (status != CSYSTEM_INFLATED) return status;
    }
    switch (inflate_step(z, Z_NO_FLUSH)) {
      case Z_OK: break;
      case Z_STREAM_END:
        if (*size - z->avail_out > limit) return CSYSTEM_INFLATE_TOO_LARGE;
        if (z->avail_in == 0) return CSYSTEM_INFLATED;
        // A gzip file may be several, one after the other (RFC 1952, section 2.2).
        if (packing != CSYSTEM_GZIP || inflate_reset(z) != Z_OK) return CSYSTEM_INFLATE_INVALID;
        break;
      case Z_BUF_ERROR:
        if (z->avail_out > 0) return CSYSTEM_INFLATE_TRUNCATED;
        break;
      case Z_MEM_ERROR: return CSYSTEM_INFLATE_TOO_LARGE;
      default: return CSYSTEM_INFLATE_INVALID;
    }
  }
}

csystem_inflate_status csystem_inflate(
    const uint8_t *bytes, size_t count, csystem_packing packing, size_t limit, uint8_t **result,
    size_t *result_count) {
  pthread_once(&loading, load);
  if (!zlib_version || !inflate_init || !inflate_step || !inflate_reset || !inflate_end) {
    return CSYSTEM_INFLATE_UNAVAILABLE;
  }
  if (count > UINT_MAX) return CSYSTEM_INFLATE_TOO_LARGE;
  stream z = {.next_in = bytes, .avail_in = (unsigned)count};
  // 15 is the greatest window; 16 more asks for gzip, a negative number for no header.
  int window = packing == CSYSTEM_GZIP ? 31 : packing == CSYSTEM_ZLIB ? 15 : -15;
  if (inflate_init(&z, window, zlib_version(), (int)sizeof z) != Z_OK) {
    return CSYSTEM_INFLATE_UNAVAILABLE;
  }
  uint8_t *output = NULL;
  size_t size = 0;
  csystem_inflate_status status = unpack(&z, packing, limit, &output, &size);
  inflate_end(&z);
  if (status == CSYSTEM_INFLATED) {
    *result = output;
    *result_count = size - z.avail_out;
  } else {
    free(output);
  }
  return status;
}
