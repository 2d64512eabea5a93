#include "World.h"

#if defined(__linux__)

#include <stdio.h>
#include <string.h>
#include <unistd.h>

// ---- Configurations
//
// The class properties `URLSessionConfiguration.default` and `.ephemeral` of FoundationNetworking, as
// functions of Swift's calling convention that return an owned object.

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *self
#define DEFAULT "$s20FoundationNetworking23URLSessionConfigurationC7defaultACvgZ"
#define EPHEMERAL "$s20FoundationNetworking23URLSessionConfigurationC9ephemeralACvgZ"

// And `URLSession.shared`.
#define SHARED "$s20FoundationNetworking10URLSessionC6sharedACvgZ"

SWIFT void *default_configuration(SELF) __asm__(DEFAULT);
SWIFT void *shared_session(SELF) __asm__(SHARED);
SWIFT void *ephemeral_configuration(SELF) __asm__(EPHEMERAL);

const void *const world_session_definition = (const void *)default_configuration;

typedef SWIFT void *(*getter)(SELF);

static SWIFT void *configuration(const char *name, void *self) {
  // What was made before the start can't be led to the interceptor any more.
  world_note_early(APPWORLD_EARLY_SESSIONS, CALLER);
  // Called a few times in a process.
  void *made = ((getter)world_find(name))(self);
  if (atomic_load(&world_is_active) && world_hooks.configure != NULL) world_hooks.configure(made);
  return made;
}

INTERPOSED SWIFT void *default_configuration(SELF) { return configuration(DEFAULT, self); }

INTERPOSED SWIFT void *ephemeral_configuration(SELF) { return configuration(EPHEMERAL, self); }

INTERPOSED SWIFT void *shared_session(SELF) {
  static _Atomic(getter) found;
  world_note_early(APPWORLD_EARLY_SESSIONS, CALLER);
  getter original = atomic_load(&found);
  if (original == NULL) atomic_store(&found, original = (getter)world_find(SHARED));
  return original(self);
}

// ---- Their queues

void dispatch_sync(void *queue, void *block);
/// Of the queue that the thread is on where there is none given.
const char *dispatch_queue_get_label(void *queue);

static bool is_of_sessions(void *queue) {
  const char *label = dispatch_queue_get_label(queue);
  if (label == NULL) return false;
  return strncmp(label, "URLSession<", strlen("URLSession<")) == 0 ||
         strcmp(label, "org.swift.URLSessionTask.WorkQueue") == 0;
}

/// The queues of all sessions lead to one that is serial (`URLSession.sharedQueue`), and a protocol starts
/// loading on it. One that makes a task there waits for the queue that it is on, and libdispatch ends the
/// process without a word.
INTERPOSED void dispatch_sync(void *queue, void *block) {
  // Also while the thread is on a queue of the app's, from there.
  static _Thread_local bool has_queue;
  if (!world_covers_caller()) return ORIGINAL(dispatch_sync)(queue, block);
  bool had_queue = has_queue;
  has_queue = had_queue || is_of_sessions(NULL);
  if (has_queue && is_of_sessions(queue)) {
    dprintf(
        STDERR_FILENO,
        "harness: a URLProtocol of the app makes a URLSession task, or changes one, while it starts or stops "
        "loading, and Foundation ends such an app on Linux. Leave that protocol out there: the kit records "
        "each request itself\n");
    appworld_exit(EXIT_FAILURE);
  }
  ORIGINAL(dispatch_sync)(queue, block);
  has_queue = had_queue;
}

#endif
