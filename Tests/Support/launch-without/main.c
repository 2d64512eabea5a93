// Runs a program behind a filter that refuses some system calls, as a container's profile does.
//
// Usage: launch-without WHAT PROGRAM ARGUMENT…, where WHAT is "filters", "namespaces" or "both".

#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#if defined(__linux__)
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#define LOAD(member) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member))
#define SKIP_UNLESS(value, count) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, count)
#define RETURN(action) BPF_STMT(BPF_RET | BPF_K, action)
#define REFUSE RETURN(SECCOMP_RET_ERRNO | EPERM)

static int install(struct sock_filter *filter, unsigned short count) {
  struct sock_fprog program = {.len = count, .filter = filter};
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static int refuse_filters(void) {
  struct sock_filter filter[] = {
      LOAD(nr), SKIP_UNLESS(SYS_seccomp, 1), REFUSE, RETURN(SECCOMP_RET_ALLOW)};
  return install(filter, sizeof filter / sizeof filter[0]);
}

static int refuse_namespaces(void) {
  struct sock_filter filter[] = {
      LOAD(nr),
      SKIP_UNLESS(SYS_unshare, 1), REFUSE,
      // Whose flags are in memory: as Docker does, so that the C library falls back to clone.
      SKIP_UNLESS(SYS_clone3, 1), RETURN(SECCOMP_RET_ERRNO | ENOSYS),
      SKIP_UNLESS(SYS_clone, 3), LOAD(args[0]),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_NEWNET | CLONE_NEWUSER, 0, 1), REFUSE,
      RETURN(SECCOMP_RET_ALLOW)};
  return install(filter, sizeof filter / sizeof filter[0]);
}

static int refuse(const char *what) {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
  if (strcmp(what, "filters") != 0 && refuse_namespaces() != 0) return -1;
  return strcmp(what, "namespaces") != 0 ? refuse_filters() : 0;
}
#else
static int refuse(const char *what) {
  (void)what;
  return -1;
}
#endif

int main(int count, char **words) {
  if (count < 3 || refuse(words[1]) != 0) return 99;
  execv(words[2], words + 2);
  perror(words[2]);
  return 98;
}
