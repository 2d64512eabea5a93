#ifndef CSYSTEM_INFLATE_H
#define CSYSTEM_INFLATE_H

#include <stddef.h>
#include <stdint.h>

/// What came of unpacking.
typedef enum {
  CSYSTEM_INFLATED,
  /// The bytes aren't of this format, or more follows.
  CSYSTEM_INFLATE_INVALID,
  /// The bytes end too early.
  CSYSTEM_INFLATE_TRUNCATED,
  /// What is packed is longer than the limit, or than there is memory.
  CSYSTEM_INFLATE_TOO_LARGE,
  /// There is no zlib here.
  CSYSTEM_INFLATE_UNAVAILABLE,
} csystem_inflate_status;

typedef enum {
  CSYSTEM_GZIP,
  /// The format of zlib (RFC 1950), which HTTP calls deflate.
  CSYSTEM_ZLIB,
  /// Deflate itself (RFC 1951), which some clients send under that name.
  CSYSTEM_RAW_DEFLATE,
} csystem_packing;

/// Unpacks bytes with the zlib of the system, which is loaded when it is first needed.
///
/// `result` is to be freed by the caller where the status is `CSYSTEM_INFLATED`, and isn't set
/// otherwise. `limit`: how many bytes may come out.
csystem_inflate_status csystem_inflate(
    const uint8_t *bytes, size_t count, csystem_packing packing, size_t limit, uint8_t **result,
    size_t *result_count);

#endif
