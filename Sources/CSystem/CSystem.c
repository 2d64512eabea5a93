#define _GNU_SOURCE
#include "CSystem.h"

#if defined(__linux__)
#include <malloc.h>

extern int _dispatch_get_main_queue_handle_4CF(void);

int csystem_main_queue_handle(void) { return _dispatch_get_main_queue_handle_4CF(); }

size_t csystem_allocation_size(const void *block) { return malloc_usable_size((void *)block); }
#else
typedef int csystem_nothing_here;
#endif
