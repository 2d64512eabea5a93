#include "World.h"

#if defined(__linux__)

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <unistd.h>

// Waiting for descriptors isn't work, and its limit follows the app's clock: beside the descriptors a
// bell is waited for, which the clock rings when the time is over.

enum state { WAITING, RUNG, ENDED };

/// One wait with a limit, which the waiting thread and the clock share.
struct alarm {
  _Atomic int owners;
  _Atomic int state;
  /// Readable when the time is over.
  int bell;
  uint64_t ticket;
  struct world_work work;
};

static void release_alarm(struct alarm *alarm) {
  if (atomic_fetch_sub(&alarm->owners, 1) > 1) return;
  ORIGINAL(close)(alarm->bell);
  free(alarm);
}

static bool settle(struct alarm *alarm, enum state state) {
  int waiting = WAITING;
  return atomic_compare_exchange_strong(&alarm->state, &waiting, state);
}

static void ring(void *context, uint64_t generation) {
  (void)generation;
  struct alarm *alarm = context;
  if (settle(alarm, RUNG)) {
    world_take_up(alarm->work);
    eventfd_write(alarm->bell, 1);
  }
  release_alarm(alarm);
}

/// NULL where there is no descriptor left: then the time passes by the system's clock.
static struct alarm *begin_alarm(int64_t deadline) {
  int bell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (bell < 0) return NULL;
  struct alarm *alarm = calloc(1, sizeof *alarm);
  atomic_store(&alarm->owners, 2);
  alarm->bell = bell;
  world_begin_wait();
  alarm->work = world_hand_over();
  alarm->ticket = world_hooks.schedule(deadline, ring, alarm, 0);
  return alarm;
}

static void end_alarm(struct alarm *alarm) {
  int error = errno;
  if (settle(alarm, ENDED)) world_take_up(alarm->work);
  if (world_hooks.cancel(alarm->ticket)) release_alarm(alarm);
  release_alarm(alarm);
  world_end_wait();
  errno = error;
}

/// The work of this thread while it waits without a limit.
#define WITHOUT_WORK(call)                        \
  ({                                              \
    struct world_work work = world_hand_over();   \
    __typeof__(call) result = (call);             \
    int error = errno;                            \
    world_take_up(work);                          \
    errno = error;                                \
    result;                                       \
  })

/// What is left until a deadline, for a wait by the system's clock.
static struct timespec left_until(int64_t deadline) {
  int64_t left = deadline > world_now() ? deadline - world_now() : 0;
  return (struct timespec){.tv_sec = left / NANOSECONDS, .tv_nsec = left % NANOSECONDS};
}

// ---- poll

static const struct timespec no_time;

static int poll_until(
    struct pollfd *descriptors, nfds_t count, int64_t deadline, const sigset_t *mask) {
  __typeof__(&ppoll) original = ORIGINAL(ppoll);
  if (deadline == WORLD_FOREVER) {
    return WITHOUT_WORK(original(descriptors, count, NULL, mask));
  }
  int ready = original(descriptors, count, &no_time, mask);
  if (ready != 0 || deadline <= world_now()) return ready;
  struct alarm *alarm = begin_alarm(deadline);
  if (alarm == NULL) {
    struct timespec left = left_until(deadline);
    return original(descriptors, count, &left, mask);
  }
  struct pollfd *all = malloc((count + 1) * sizeof *all);
  if (count > 0) memcpy(all, descriptors, count * sizeof *all);
  all[count] = (struct pollfd){.fd = alarm->bell, .events = POLLIN};
  ready = original(all, count + 1, NULL, mask);
  end_alarm(alarm);
  if (ready > 0 && all[count].revents != 0) ready--;
  for (nfds_t index = 0; index < count; index++) descriptors[index].revents = all[index].revents;
  free(all);
  return ready;
}

static int64_t deadline_of(const struct timespec *limit) {
  return limit == NULL ? WORLD_FOREVER : world_limit(world_nanoseconds(limit));
}

static int64_t deadline_of_milliseconds(int limit) {
  return limit < 0 ? WORLD_FOREVER : world_limit(limit * 1000000LL);
}

INTERPOSED int poll(struct pollfd *descriptors, nfds_t count, int limit) {
  if (limit == 0 || IS_FOREIGN) return ORIGINAL(poll)(descriptors, count, limit);
  return poll_until(descriptors, count, deadline_of_milliseconds(limit), NULL);
}

INTERPOSED int ppoll(
    struct pollfd *descriptors, nfds_t count, const struct timespec *limit,
    const sigset_t *mask) {
  if (IS_FOREIGN) return ORIGINAL(ppoll)(descriptors, count, limit, mask);
  return poll_until(descriptors, count, deadline_of(limit), mask);
}

// What calls of programs become that check their own memory.
int __poll_chk(struct pollfd *descriptors, nfds_t count, int limit, size_t size);
int __ppoll_chk(
    struct pollfd *descriptors, nfds_t count, const struct timespec *limit, const sigset_t *mask,
    size_t size);

INTERPOSED int __poll_chk(struct pollfd *descriptors, nfds_t count, int limit, size_t size) {
  if (count > size / sizeof *descriptors) abort();
  return poll(descriptors, count, limit);
}

INTERPOSED int __ppoll_chk(
    struct pollfd *descriptors, nfds_t count, const struct timespec *limit, const sigset_t *mask,
    size_t size) {
  if (count > size / sizeof *descriptors) abort();
  return ppoll(descriptors, count, limit, mask);
}

// ---- select

#define BITS (8 * (int)sizeof(unsigned long))

/// The sets of a call: reading, writing, failing; each may be absent.
struct sets {
  fd_set *set[3];
};

static void copy_set(void *to, const void *from, int count) {
  if (to != NULL && from != NULL) memcpy(to, from, (size_t)(count + BITS - 1) / BITS * sizeof(long));
}

static int call_select(
    int count, unsigned long *sets, size_t words, const struct timespec *limit,
    const sigset_t *mask) {
  fd_set *reading = (fd_set *)sets, *writing = (fd_set *)(sets + words);
  fd_set *failing = (fd_set *)(sets + 2 * words);
  return ORIGINAL(pselect)(count, reading, writing, failing, limit, mask);
}

static int select_until(
    int count, struct sets sets, int64_t deadline, const sigset_t *mask) {
  struct alarm *alarm = NULL;
  if (deadline != WORLD_FOREVER && deadline > world_now()) alarm = begin_alarm(deadline);
  int all = alarm != NULL && alarm->bell >= count ? alarm->bell + 1 : count;
  size_t words = (size_t)(all + BITS - 1) / BITS + 1;
  unsigned long *copies = calloc(3 * words, sizeof *copies);
  for (int index = 0; index < 3; index++) copy_set(copies + index * words, sets.set[index], count);
  int ready;
  bool is_over = false;
  if (alarm != NULL) {
    unsigned long *word = &copies[alarm->bell / BITS], bit = 1UL << alarm->bell % BITS;
    *word |= bit;
    ready = call_select(all, copies, words, NULL, mask);
    is_over = ready > 0 && (*word & bit) != 0;
    end_alarm(alarm);
  } else if (deadline == WORLD_FOREVER) {
    ready = WITHOUT_WORK(call_select(count, copies, words, NULL, mask));
  } else {
    struct timespec left = left_until(deadline);
    ready = call_select(count, copies, words, &left, mask);
  }
  if (ready >= 0) {
    for (int index = 0; index < 3; index++) {
      copy_set(sets.set[index], copies + index * words, count);
    }
  }
  free(copies);
  return is_over ? ready - 1 : ready;
}

INTERPOSED int select(
    int count, fd_set *restrict reading, fd_set *restrict writing, fd_set *restrict failing,
    struct timeval *restrict limit) {
  if (IS_FOREIGN) return ORIGINAL(select)(count, reading, writing, failing, limit);
  struct sets sets = {{reading, writing, failing}};
  if (limit == NULL) return select_until(count, sets, WORLD_FOREVER, NULL);
  struct timespec time = {.tv_sec = limit->tv_sec, .tv_nsec = limit->tv_usec * 1000};
  int64_t deadline = deadline_of(&time);
  int ready = select_until(count, sets, deadline, NULL);
  // On Linux it says what is left.
  time = left_until(deadline);
  *limit = (struct timeval){.tv_sec = time.tv_sec, .tv_usec = time.tv_nsec / 1000};
  return ready;
}

INTERPOSED int pselect(
    int count, fd_set *restrict reading, fd_set *restrict writing, fd_set *restrict failing,
    const struct timespec *restrict limit, const sigset_t *restrict mask) {
  if (IS_FOREIGN) return ORIGINAL(pselect)(count, reading, writing, failing, limit, mask);
  struct sets sets = {{reading, writing, failing}};
  return select_until(count, sets, deadline_of(limit), mask);
}

// ---- epoll

static int epoll_until(
    int list, struct epoll_event *events, int capacity, int64_t deadline, const sigset_t *mask) {
  while (true) {
    int ready = ORIGINAL(epoll_wait)(list, events, capacity, 0);
    if (ready != 0 || deadline <= world_now()) return ready;
    // A list can be waited for like what is in it. Another thread may be faster.
    struct pollfd state = {.fd = list, .events = POLLIN};
    ready = poll_until(&state, 1, deadline, mask);
    if (ready <= 0) return ready;
  }
}

INTERPOSED int epoll_wait(int list, struct epoll_event *events, int capacity, int limit) {
  __typeof__(&epoll_wait) original = ORIGINAL(epoll_wait);
  if (limit == 0 || IS_FOREIGN) return original(list, events, capacity, limit);
  if (limit < 0) return WITHOUT_WORK(original(list, events, capacity, limit));
  return epoll_until(list, events, capacity, deadline_of_milliseconds(limit), NULL);
}

INTERPOSED int epoll_pwait(
    int list, struct epoll_event *events, int capacity, int limit, const sigset_t *mask) {
  __typeof__(&epoll_pwait) original = ORIGINAL(epoll_pwait);
  if (limit == 0 || IS_FOREIGN) return original(list, events, capacity, limit, mask);
  if (limit < 0) return WITHOUT_WORK(original(list, events, capacity, limit, mask));
  return epoll_until(list, events, capacity, deadline_of_milliseconds(limit), mask);
}

// From glibc 2.35 on.
int epoll_pwait2(
    int list, struct epoll_event *events, int capacity, const struct timespec *limit,
    const sigset_t *mask);

INTERPOSED int epoll_pwait2(
    int list, struct epoll_event *events, int capacity, const struct timespec *limit,
    const sigset_t *mask) {
  if (limit == NULL) return epoll_pwait(list, events, capacity, -1, mask);
  if (IS_FOREIGN) return ORIGINAL(epoll_pwait2)(list, events, capacity, limit, mask);
  return epoll_until(list, events, capacity, deadline_of(limit), mask);
}

#endif
