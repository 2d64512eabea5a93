#define _GNU_SOURCE
#include "CSupervision.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

#if defined(__linux__)
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "SealInstallation.h"

// In place of posix_spawn, which can set no limit, and so no mark: set in this process, a mark would
// be inherited by whatever another thread starts at the same moment. Nor can it install a seal.

// ---- In the child, which shares the memory of this process until it runs the program.

static void reset_signal_actions(void) {
  // Handlers are reset by execve; what is ignored stays ignored.
  struct sigaction action = {.sa_handler = SIG_DFL};
  for (int number = 1; number < NSIG; number++) {
    if (number != SIGKILL && number != SIGSTOP) sigaction(number, &action, NULL);
  }
}

static void mark_own_process(uint64_t mark) {
  struct rlimit limit;
  if (mark == 0 || getrlimit(RLIMIT_LOCKS, &limit) != 0) return;
  // Where this process has a limit already, only root may raise it.
  if (limit.rlim_max < mark && geteuid() != 0) return;
  limit.rlim_cur = limit.rlim_max = mark;
  setrlimit(RLIMIT_LOCKS, &limit);
}

static void close_others(void) {
  if (syscall(SYS_close_range, 3, ~0U, 0) == 0) return;
  // Before Linux 5.9.
  long limit = sysconf(_SC_OPEN_MAX);
  for (int descriptor = 3; descriptor < limit; descriptor++) close(descriptor);
}

/// What both sides know while the child has not run its program yet: they share their memory.
struct start {
  const struct csupervision_launch *launch;
  struct csupervision_user user;
  int listener;
  int error;
};

static int prepare(struct start *start) {
  const struct csupervision_launch *launch = start->launch;
  // Before anything else: it takes the descriptors out of the table that both sides share.
  int error = csupervision_seal_install(launch->seal, &start->user, &start->listener);
  if (error != 0) return error;
  if (launch->has_own_group && setpgid(0, 0) != 0) return errno;
  if (chdir(launch->directory) != 0) return errno;
  // A descriptor that is one of the three already would be closed before its turn: no pipe of ours
  // is, because the three are open.
  for (int target = 0; target < 3; target++) {
    if (dup2(launch->descriptors[target], target) < 0) return errno;
  }
  close_others();
  reset_signal_actions();
  mark_own_process(launch->mark);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  return 0;
}

static int run_program(void *argument) {
  struct start *start = argument;
  start->error = prepare(start);
  if (start->error == 0) {
    execve(start->launch->program, start->launch->arguments, start->launch->environment);
    start->error = errno;
  }
  _exit(127);
}

// ---- In this process.

int csupervision_spawn(const struct csupervision_launch *launch, pid_t *pid, int *listener) {
  // Volatile: the child changes it.
  volatile struct start start = {
      .launch = launch, .user = {geteuid(), getegid()}, .listener = -1};
  // The child's; this thread sleeps until the child needs it no longer.
  _Alignas(16) char stack[32 * 1024];
  sigset_t all, before;
  sigfillset(&all);
  // A handler of this process must not run in the child.
  sigprocmask(SIG_BLOCK, &all, &before);
  int flags = CLONE_VM | CLONE_VFORK | csupervision_seal_clone_flags(launch->seal) | SIGCHLD;
  pid_t child = clone(run_program, stack + sizeof stack, flags, (void *)&start);
  if (child < 0) start.error = errno;
  sigprocmask(SIG_SETMASK, &before, NULL);
  if (start.error != 0) {
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR) {
    }
    if (start.listener >= 0) close(start.listener);
    start.listener = -1;
  }
  *pid = child;
  *listener = start.listener;
  return start.error;
}

#else
#include <spawn.h>

static int add_descriptors(posix_spawn_file_actions_t *actions, const int descriptors[3]) {
  for (int target = 0; target < 3; target++) {
    int error = posix_spawn_file_actions_adddup2(actions, descriptors[target], target);
    if (error != 0) return error;
  }
  return 0;
}

static int set_attributes(posix_spawnattr_t *attributes, bool has_own_group) {
  short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_CLOEXEC_DEFAULT;
  if (has_own_group) flags |= POSIX_SPAWN_SETPGROUP;
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  int error = posix_spawnattr_setpgroup(attributes, 0);
  if (error == 0) error = posix_spawnattr_setsigmask(attributes, &none);
  if (error == 0) error = posix_spawnattr_setsigdefault(attributes, &all);
  if (error == 0) error = posix_spawnattr_setflags(attributes, flags);
  return error;
}

int csupervision_spawn(const struct csupervision_launch *launch, pid_t *pid, int *listener) {
  // There is no seal here that a process could put on another.
  *listener = -1;
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  int error = posix_spawn_file_actions_init(&actions);
  if (error != 0) return error;
  error = posix_spawnattr_init(&attributes);
  if (error != 0) {
    posix_spawn_file_actions_destroy(&actions);
    return error;
  }
  error = posix_spawn_file_actions_addchdir_np(&actions, launch->directory);
  if (error == 0) error = add_descriptors(&actions, launch->descriptors);
  if (error == 0) error = set_attributes(&attributes, launch->has_own_group);
  if (error == 0) {
    error = posix_spawn(
        pid, launch->program, &actions, &attributes, launch->arguments, launch->environment);
  }
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}
#endif
