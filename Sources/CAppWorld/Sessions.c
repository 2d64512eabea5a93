#include "World.h"

#if defined(__linux__)

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

_Atomic bool world_has_early_sessions;

/// What was made before the start can't be led to the interceptor any more.
static void note_early(void) {
  if (!atomic_load(&world_is_active)) atomic_store(&world_has_early_sessions, true);
}

static SWIFT void *configuration(const char *name, void *self) {
  note_early();
  // Called a few times in a process.
  void *made = ((getter)world_find(name))(self);
  if (atomic_load(&world_is_active) && world_hooks.configure != NULL) world_hooks.configure(made);
  return made;
}

INTERPOSED SWIFT void *default_configuration(SELF) { return configuration(DEFAULT, self); }

INTERPOSED SWIFT void *ephemeral_configuration(SELF) { return configuration(EPHEMERAL, self); }

INTERPOSED SWIFT void *shared_session(SELF) {
  static _Atomic(getter) found;
  note_early();
  getter original = atomic_load(&found);
  if (original == NULL) atomic_store(&found, original = (getter)world_find(SHARED));
  return original(self);
}

#endif
