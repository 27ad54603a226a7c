#pragma once
// What the Glibc module leaves out: epoll, eventfd, file locks, prctl, and what hides behind _GNU_SOURCE.
// _GNU_SOURCE itself would give types like fd_set a second definition beside the Glibc module's, which Swift refuses;
// so the few functions that need it are declared here by hand.
#include <spawn.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/un.h>

extern int accept4(int descriptor, struct sockaddr *address, socklen_t *length, int flags);
extern int sync_file_range(int descriptor, long offset, long count, unsigned int flags);
extern void *memmem(const void *bytes, size_t count, const void *mark, size_t length);
extern int memfd_create(const char *name, unsigned int flags);
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);

/// What SO_PEERCRED tells about the other end of a Unix socket (`struct ucred`).
struct pinpost_peer { pid_t pid; uid_t uid; gid_t gid; };

// <malloc.h> includes <stdio.h>, whose types belong to the Glibc module.
extern int mallopt(int parameter, int value);
static const int pinpost_trim_threshold = -1;
static const int pinpost_top_pad = -2;
static const int pinpost_mmap_threshold = -3;
static const int pinpost_arena_max = -8;

// Constants that hide with the functions.
static const unsigned int pinpost_sync_file_range_write = 2U;
static const unsigned int pinpost_memfd_close_on_exec = 1U;
static const unsigned long pinpost_clone_thread = 0x10000UL;

// prctl is variadic, which Swift cannot call.
static inline int pinpost_forbid_new_privileges(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); }
static inline int pinpost_forbid_tracing(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }
