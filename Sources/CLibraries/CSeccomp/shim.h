#pragma once
#include <errno.h>
#include <seccomp.h>

// Function-like macros do not reach Swift.
static inline uint32_t pinpost_seccomp_kill_process(void) { return SCMP_ACT_KILL_PROCESS; }
static inline uint32_t pinpost_seccomp_allow(void) { return SCMP_ACT_ALLOW; }
static inline uint32_t pinpost_seccomp_not_implemented(void) { return SCMP_ACT_ERRNO(ENOSYS); }
// The call is not made and returns 0.
static inline uint32_t pinpost_seccomp_pretend_success(void) { return SCMP_ACT_ERRNO(0); }
