#define _GNU_SOURCE
#include "CSystem.h"

#if defined(__linux__)
extern int _dispatch_get_main_queue_handle_4CF(void);

int csystem_main_queue_handle(void) { return _dispatch_get_main_queue_handle_4CF(); }
#else
typedef int csystem_nothing_here;
#endif
