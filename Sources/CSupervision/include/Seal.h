#ifndef CSUPERVISION_SEAL_H
#define CSUPERVISION_SEAL_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/// What keeps a process, and all that it starts, from the network.
enum csupervision_seal {
  CSUPERVISION_SEAL_NONE = 0,
  /// A filter of system calls (seccomp): what could leave the machine waits until this process has
  /// looked at it, and is refused.
  CSUPERVISION_SEAL_CALLS,
  /// A network namespace without a network. It names nobody.
  CSUPERVISION_SEAL_NAMESPACE,
  /// The same for those who may make one in a user namespace of their own only.
  CSUPERVISION_SEAL_USER_NAMESPACE,
};

/// Whether the system allows a seal, and it holds: tried with a process that is started for it.
bool csupervision_seal_works(enum csupervision_seal seal);

// ---- What the filter of system calls tells.

/// How something tried to leave.
enum csupervision_way {
  CSUPERVISION_WAY_CONNECT,
  /// A datagram, or data with a connection; `family` is 0 where the call names no address.
  CSUPERVISION_WAY_SEND,
  /// A socket of a kind that needs no address to be named: raw packets, SCTP.
  CSUPERVISION_WAY_SOCKET,
  /// By the system calls of another architecture, whose arguments aren't looked at.
  CSUPERVISION_WAY_FOREIGN,
};

/// A system call that waits for an answer.
struct csupervision_attempt {
  uint64_t id;
  enum csupervision_way way;
  /// The process, not its thread; 0 where it isn't known.
  pid_t process;
  /// Its name, as the system keeps it.
  char program[16];
  /// The socket's protocol, as the kernel calls it: "TCP", "UDPv6"; empty where it isn't known.
  char protocol[32];
  /// The socket's number among all of the system; 0 where it isn't known.
  uint64_t socket;
  /// An address family (AF_INET …), 0 where there is none.
  int family;
  /// 4 or 16 bytes by the family, in the order of the network.
  uint8_t address[16];
  uint16_t port;
  /// The beginning of what was to be sent.
  uint8_t payload[512];
  uint32_t payload_length;
};

/// Takes the next call, and answers it where there is nothing to tell: what stays on the machine goes
/// on.
///
/// @param listener Must be readable.
/// @returns Whether there is an attempt; it must be answered.
bool csupervision_seal_receive(int listener, struct csupervision_attempt *attempt);

/// Ends the call that an attempt was made by.
///
/// @param error What the call fails with; 0 where it seems to succeed, and nothing is done.
void csupervision_seal_answer(int listener, uint64_t id, int error);

// ---- Waiting for many listeners.

/// A descriptor to wait on; -1 with errno set.
int csupervision_listeners_open(void);

/// Adds a listener, or any descriptor that can be polled.
int csupervision_listeners_add(int listeners, int listener, uint64_t key);

void csupervision_listeners_remove(int listeners, int listener);

/// Blocks until one is readable, or has hung up: all processes behind it have ended.
///
/// @returns Whether it is readable.
bool csupervision_listeners_wait(int listeners, uint64_t *key);

#endif
