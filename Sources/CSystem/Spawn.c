#define _GNU_SOURCE
#include "CSystem.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

// In place of posix_spawn, which can set no limit, and so no mark: set in this process, a mark would
// be inherited by whatever another thread starts at the same moment.

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

static int prepare(const char *directory, const int descriptors[3], bool has_own_group,
                   uint64_t mark) {
  if (has_own_group && setpgid(0, 0) != 0) return errno;
  if (chdir(directory) != 0) return errno;
  // A descriptor that is one of the three already would be closed before its turn: no pipe of ours
  // is, because the three are open.
  for (int target = 0; target < 3; target++) {
    if (dup2(descriptors[target], target) < 0) return errno;
  }
  close_others();
  reset_signal_actions();
  mark_own_process(mark);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  return 0;
}

// ---- In this process.

int csystem_spawn(
    pid_t *pid, const char *program, char *const arguments[], char *const environment[],
    const char *directory, int input, int output, int error_output, bool has_own_group,
    uint64_t mark) {
  const int descriptors[3] = {input, output, error_output};
  volatile int error = 0;
  sigset_t all, before;
  sigfillset(&all);
  // A handler of this process must not run in the child.
  sigprocmask(SIG_BLOCK, &all, &before);
  pid_t child = vfork();
  if (child == 0) {
    error = prepare(directory, descriptors, has_own_group, mark);
    if (error == 0) {
      execve(program, arguments, environment);
      error = errno;
    }
    _exit(127);
  }
  if (child < 0) error = errno;
  sigprocmask(SIG_SETMASK, &before, NULL);
  if (child > 0 && error != 0) {
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {
    }
  }
  *pid = child;
  return error;
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

int csystem_spawn(
    pid_t *pid, const char *program, char *const arguments[], char *const environment[],
    const char *directory, int input, int output, int error_output, bool has_own_group,
    uint64_t mark) {
  (void)mark;
  const int descriptors[3] = {input, output, error_output};
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  int error = posix_spawn_file_actions_init(&actions);
  if (error != 0) return error;
  error = posix_spawnattr_init(&attributes);
  if (error != 0) {
    posix_spawn_file_actions_destroy(&actions);
    return error;
  }
  error = posix_spawn_file_actions_addchdir_np(&actions, directory);
  if (error == 0) error = add_descriptors(&actions, descriptors);
  if (error == 0) error = set_attributes(&attributes, has_own_group);
  if (error == 0) error = posix_spawn(pid, program, &actions, &attributes, arguments, environment);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}
#endif
