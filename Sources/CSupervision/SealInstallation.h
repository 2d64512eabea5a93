#ifndef CSUPERVISION_SEAL_INSTALLATION_H
#define CSUPERVISION_SEAL_INSTALLATION_H

#include "Seal.h"

// Linux alone.

#if defined(__linux__)
#include <linux/audit.h>

/// That of this program's calls; known where there is a filter for it.
#if defined(__x86_64__)
#define NATIVE_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define NATIVE_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif
#endif

/// Who a process is, asked before it is in a user namespace in which it is nobody yet.
struct csupervision_user {
  unsigned user;
  unsigned group;
};

/// What `clone` must be told for a seal.
int csupervision_seal_clone_flags(enum csupervision_seal seal);

/// Puts the calling process behind a seal, between its `clone` and its `execve`.
///
/// Calls nothing but the system: it may run in a process that shares the memory of its parent.
///
/// @param listener Gets the descriptor in the parent's table, before this process gets a table of its
///   own; left alone where the seal has none.
/// @returns 0, or an error number.
int csupervision_seal_install(
    enum csupervision_seal seal, const struct csupervision_user *user, int *listener);

#endif
