#ifndef CSYSTEM_FILE_MARK_H
#define CSYSTEM_FILE_MARK_H

#include <stdbool.h>
#include <stddef.h>

/// Sets a file's times to a mark that the next write removes, however soon it comes: a system's own
/// times are too coarse for that.
///
/// Returns whether the mark holds; the file's owner alone can set it.
bool csystem_mark_unwritten(int descriptor);

/// Whether a file has been written, or cut, since it was marked. `touch` is neither.
bool csystem_is_written(int descriptor);

/// Opens a file without a name, of which nothing is left when this process is killed; -1 where the system
/// has none there.
int csystem_open_unnamed(const char *folder);

/// Gives such a file a name, which nothing may have yet. Returns 0, or -1.
int csystem_name(int descriptor, const char *path);

/// Whether a text is somewhere in bytes.
bool csystem_contains(const void *bytes, size_t count, const char *text);

#endif
