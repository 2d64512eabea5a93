#include "World.h"

#if defined(__linux__)

#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct appworld_hooks world_hooks;
_Atomic bool world_is_active;
_Atomic bool world_has_time;
/// A set of `appworld_reach`.
static _Atomic int early;
/// Whether libdispatch has threads from before the start.
static _Atomic bool has_early_workers;
_Thread_local struct world_thread world_thread;

static struct {
  uintptr_t start, end;
} dispatch_text;

void *world_find(const char *name) {
  // Their first versions have another layout of what they wait for.
  if (strncmp(name, "pthread_cond_", strlen("pthread_cond_")) == 0) {
    void *current = dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2");
    if (current != NULL) return current;
  }
  return dlsym(RTLD_NEXT, name);
}

static int note_dispatch(struct dl_phdr_info *info, size_t size, void *address) {
  (void)size;
  for (int index = 0; index < info->dlpi_phnum; index++) {
    const ElfW(Phdr) *segment = &info->dlpi_phdr[index];
    uintptr_t start = info->dlpi_addr + segment->p_vaddr;
    if (segment->p_type != PT_LOAD || (segment->p_flags & PF_X) == 0) continue;
    if ((uintptr_t)address < start || (uintptr_t)address >= start + segment->p_memsz) continue;
    dispatch_text.start = start;
    dispatch_text.end = start + segment->p_memsz;
    return 1;
  }
  return 0;
}

bool world_is_dispatch(const void *address) {
  uintptr_t place = (uintptr_t)address;
  return place >= dispatch_text.start && place < dispatch_text.end;
}

void world_note_early(enum appworld_reach what, const void *caller) {
  if (atomic_load(&world_is_active)) return;
  if (dispatch_text.start == 0) dl_iterate_phdr(note_dispatch, dlsym(RTLD_NEXT, "dispatch_async"));
  if (world_is_dispatch(caller)) {
    atomic_store(&has_early_workers, true);
  } else {
    atomic_fetch_or(&early, (int)what);
  }
}

// Defined in the other files; what of them the linker took shows whether they are in effect.
extern const void *const world_dispatch_definition;
extern const void *const world_random_definition;
extern const void *const world_session_definition;

static bool is_bound(const char *name, const void *definition) {
  return dlsym(RTLD_DEFAULT, name) == definition;
}

int appworld_activate(const struct appworld_hooks *hooks, int64_t start, uint64_t seed) {
  extern void world_set_start(int64_t);
  int reach = 0;
  world_hooks = *hooks;
  world_set_start(start);
  world_set_seed(seed);
  if (is_bound("dispatch_async", world_dispatch_definition)) {
    void *original = dlsym(RTLD_NEXT, "dispatch_async");
    dl_iterate_phdr(note_dispatch, original);
    // Without libdispatch's own calls told apart, nothing can be taken from it.
    if (dispatch_text.start != 0) reach |= APPWORLD_WORK | APPWORLD_TIME;
  }
  if (is_bound("getrandom", world_random_definition)) reach |= APPWORLD_RANDOM;
  if (is_bound("$s20FoundationNetworking23URLSessionConfigurationC7defaultACvgZ",
               world_session_definition)) {
    reach |= APPWORLD_SESSIONS;
  }
  reach |= atomic_load(&early);
  // All of time is the system's there.
  if ((reach & APPWORLD_TIME) == 0) reach &= ~APPWORLD_EARLY_TIMERS;
  if (access("/proc/self/schedstat", R_OK) == 0) reach |= APPWORLD_THREADS;
  if (world_tells_calls() && access("/proc/thread-self/children", R_OK) == 0) {
    reach |= APPWORLD_CALLS;
  }
  atomic_store(&world_has_time, (reach & APPWORLD_TIME) != 0);
  atomic_store(&world_is_active, true);
  // A thread without work would wait for more by the system's clock, for seconds: it begins anew.
  if (atomic_load(&has_early_workers)) appworld_pools_flow(0);
  return reach;
}

void appworld_enter_kit(void) { world_thread.kit_depth++; }

void appworld_leave_kit(void) { world_thread.kit_depth--; }

int appworld_begin_app_work(void) {
  int depth = world_thread.kit_depth;
  world_thread.kit_depth = 0;
  return depth;
}

void appworld_end_app_work(int depth) { world_thread.kit_depth = depth; }

_Noreturn void appworld_exit(int code) {
  // A program that was built to measure its coverage writes it when it ends.
  extern int __llvm_profile_write_file(void) __attribute__((weak));
  if (__llvm_profile_write_file != NULL) __llvm_profile_write_file();
  fflush(NULL);
  _exit(code);
}

#else

#include "CAppWorld.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

int appworld_activate(const struct appworld_hooks *hooks, int64_t start, uint64_t seed) {
  (void)hooks, (void)start, (void)seed;
  return 0;
}

void appworld_set_now(int64_t nanoseconds) { (void)nanoseconds; }
int64_t appworld_now(void) { return 0; }
void appworld_enter_kit(void) {}
void appworld_leave_kit(void) {}
int appworld_begin_app_work(void) { return 0; }
void appworld_end_app_work(int depth) { (void)depth; }
int appworld_suspended_queues(void) { return 0; }
bool appworld_main_thread_waits(void) { return false; }

bool appworld_pools_flow(int64_t patience) {
  (void)patience;
  return false;
}

bool appworld_threads_sleep(void) { return true; }
int appworld_running_threads(void) { return 0; }
int appworld_limited_threads(void) { return 0; }

int appworld_busy_child(char *name, size_t size) {
  if (size > 0) name[0] = 0;
  return 0;
}

int64_t appworld_real_nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}

_Noreturn void appworld_exit(int code) {
  fflush(NULL);
  _exit(code);
}

#endif
