#define _GNU_SOURCE
#include "SealInstallation.h"

#if defined(__linux__)
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <sched.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

// Newer than some headers.
#ifndef SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV
#define SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV (1UL << 5)
#endif
#ifndef SYS_close_range
#define SYS_close_range 436
#endif
#ifndef CLOSE_RANGE_UNSHARE
#define CLOSE_RANGE_UNSHARE (1U << 1)
#endif
#ifndef SYS_io_uring_setup
#define SYS_io_uring_setup 425
#endif

// ---- The filter.

// A program of the kernel's packet filter: a skip counts the instructions that are left out.
#define LOAD(member) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member))
// Both architectures below are little-endian.
#define LOAD_LOW(index) LOAD(args[index])
#define LOAD_HIGH(index) \
  BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[index]) + 4)
#define RETURN(action) BPF_STMT(BPF_RET | BPF_K, action)
#define SKIP_UNLESS(value, count) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, count)
#define ON(value, action) SKIP_UNLESS(value, 1), RETURN(action)
#define UNLESS(value, action) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 1, 0), RETURN(action)
#define FROM(value, action) BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, value, 0, 1), RETURN(action)

#define ALLOW SECCOMP_RET_ALLOW
#define TELL SECCOMP_RET_USER_NOTIF
/// As on a system without the call, which programs know to do without.
#define MISSING (SECCOMP_RET_ERRNO | ENOSYS)

/// Calls of 32-bit programs, by their own numbers; `sendto` where it has an address.
#define FOREIGN_CALLS(connect, sendto, sendmsg, sendmmsg) \
  LOAD(nr), \
  ON(connect, TELL), ON(sendmsg, TELL), ON(sendmmsg, TELL), ON(SYS_io_uring_setup, MISSING), \
  SKIP_UNLESS(sendto, 4), LOAD_LOW(4), ON(0, ALLOW), RETURN(TELL)

#if defined(__x86_64__)
/// On x86 each also by socketcall. The numbers of x32, which few kernels have, are missing below.
static struct sock_filter foreign_calls[] = {
    SKIP_UNLESS(AUDIT_ARCH_I386, 25),
    FOREIGN_CALLS(362, 369, 370, 345),
    SKIP_UNLESS(102, 9), LOAD_LOW(0), ON(3, TELL), ON(11, TELL), ON(16, TELL), ON(20, TELL),
    RETURN(ALLOW),
    // Any other architecture.
    RETURN(MISSING),
};
#elif defined(__aarch64__)
static struct sock_filter foreign_calls[] = {
    SKIP_UNLESS(AUDIT_ARCH_ARM, 15),
    FOREIGN_CALLS(283, 290, 296, 374),
    RETURN(ALLOW),
    // Any other architecture.
    RETURN(MISSING),
};
#endif

#if defined(NATIVE_ARCHITECTURE)
static struct sock_filter native_calls[] = {
    LOAD(nr),
#if defined(__x86_64__)
    // A tracer skips a call by -1.
    ON(0xFFFFFFFF, ALLOW), FROM(0x40000000, MISSING),
#endif
    ON(SYS_connect, TELL), ON(SYS_sendmsg, TELL), ON(SYS_sendmmsg, TELL),
    ON(SYS_io_uring_setup, MISSING),
    // With an address; or without, but of the length of a query to a name server, whose socket may
    // only seem to be connected.
    SKIP_UNLESS(SYS_sendto, 12),
    LOAD_LOW(4), UNLESS(0, TELL), LOAD_HIGH(4), UNLESS(0, TELL),
    LOAD_LOW(2), FROM(513, ALLOW), FROM(17, TELL), RETURN(ALLOW),
    // What needs no address to be named: anything but these families, and SCTP.
    SKIP_UNLESS(SYS_socket, 14),
    LOAD_LOW(0), ON(AF_UNIX, ALLOW), ON(AF_NETLINK, ALLOW), ON(AF_ALG, ALLOW),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_INET, 2, 0),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_INET6, 1, 0), RETURN(TELL),
    LOAD_LOW(2), ON(IPPROTO_SCTP, TELL), RETURN(ALLOW),
    RETURN(ALLOW),
};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static int install_filter(int *listener) {
  struct sock_filter filter[2 + COUNT(foreign_calls) + COUNT(native_calls)] = {
      LOAD(arch),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, NATIVE_ARCHITECTURE, COUNT(foreign_calls), 0),
  };
  memcpy(filter + 2, foreign_calls, sizeof foreign_calls);
  memcpy(filter + 2 + COUNT(foreign_calls), native_calls, sizeof native_calls);
  struct sock_fprog program = {.len = COUNT(filter), .filter = filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
  // Without the slower speculation that old kernels give what has a filter; a signal doesn't interrupt
  // the call that this process has taken, which would come again.
  unsigned long flags = SECCOMP_FILTER_FLAG_NEW_LISTENER | SECCOMP_FILTER_FLAG_SPEC_ALLOW;
  long descriptor = syscall(
      SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV,
      &program);
  // Before Linux 5.19.
  if (descriptor < 0 && errno == EINVAL) {
    descriptor = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
  }
  if (descriptor < 0) return errno;
  *listener = (int)descriptor;
  // The number is the parent's from here on: this process takes a table of its own.
  if (syscall(SYS_close_range, ~0U, ~0U, CLOSE_RANGE_UNSHARE) == 0) return 0;
  return unshare(CLONE_FILES) == 0 ? 0 : errno;
}
#else
static int install_filter(int *listener) {
  (void)listener;
  return ENOSYS;
}
#endif

// ---- The namespace.

static int write_file(const char *path, const char *text, size_t length) {
  int file = open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0) return errno;
  int error = write(file, text, length) == (ssize_t)length ? 0 : errno;
  close(file);
  return error;
}

/// Maps an id to itself: "id id 1".
static int map_id(const char *path, unsigned id) {
  char digits[12], text[32];
  int first = sizeof digits - 1;
  digits[first] = 0;
  do {
    digits[--first] = (char)('0' + id % 10);
    id /= 10;
  } while (id > 0);
  char *end = stpcpy(stpcpy(text, digits + first), " ");
  end = stpcpy(stpcpy(end, digits + first), " 1");
  return write_file(path, text, (size_t)(end - text));
}

// ---- Both.

int csupervision_seal_clone_flags(enum csupervision_seal seal) {
  switch (seal) {
    case CSUPERVISION_SEAL_CALLS: return CLONE_FILES;
    case CSUPERVISION_SEAL_NAMESPACE: return CLONE_NEWNET;
    case CSUPERVISION_SEAL_USER_NAMESPACE: return CLONE_NEWUSER | CLONE_NEWNET;
    default: return 0;
  }
}

int csupervision_seal_install(
    enum csupervision_seal seal, const struct csupervision_user *user, int *listener) {
  if (seal == CSUPERVISION_SEAL_CALLS) return install_filter(listener);
  if (seal != CSUPERVISION_SEAL_USER_NAMESPACE) return 0;
  // Linux lets go of the right to change groups first.
  int error = write_file("/proc/self/setgroups", "deny", strlen("deny"));
  if (error == 0) error = map_id("/proc/self/uid_map", user->user);
  if (error == 0) error = map_id("/proc/self/gid_map", user->group);
  return error;
}
#else
typedef int csupervision_nothing_here;
#endif
