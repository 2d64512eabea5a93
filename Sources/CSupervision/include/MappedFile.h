#ifndef CSUPERVISION_MAPPED_FILE_H
#define CSUPERVISION_MAPPED_FILE_H

#include <stddef.h>

/// Maps a file into memory, to be read. Where the file is cut meanwhile, which would end the process, what
/// is gone reads as zeros.
///
/// @param size How many bytes it has; not 0.
/// @returns NULL where that can't be had: then the file has to be read.
const void *csupervision_map(int descriptor, size_t size);

void csupervision_unmap(const void *start, size_t size);

#endif
