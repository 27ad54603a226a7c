// Lets a decoder run under valgrind, which its sandbox and limits would stop. For LD_PRELOAD in a bench, never installed.
#define _GNU_SOURCE
#include <poll.h>
#include <stddef.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <valgrind/callgrind.h>

void *seccomp_init(unsigned action) { return action ? (void *)"unguarded" : NULL; }
void seccomp_release(void *filter) { (void)filter; }
int seccomp_load(void *filter) { return filter == NULL; }
int seccomp_rule_add_array(void *filter, unsigned action, int call, unsigned count, const void *conditions) {
    return filter == NULL && action + (unsigned)call + count == 0 && conditions == NULL;
}
int setrlimit(__rlimit_resource_t resource, const struct rlimit *limit) {
    (void)resource;
    (void)limit;
    return 0;
}

// The daemon kills a decoder as soon as it has answered, so the counts are written before each answer.
ssize_t write(int descriptor, const void *bytes, size_t count) {
    if (descriptor == 3) CALLGRIND_DUMP_STATS;
    return syscall(SYS_write, descriptor, bytes, count);
}

// The minute that pinpost gives a decoder may be too short under valgrind beside others: the clock that it is measured
// with stands still, and a wait has no end.
int clock_gettime(clockid_t clock, struct timespec *now) {
    if (clock != CLOCK_BOOTTIME) return (int)syscall(SYS_clock_gettime, clock, now);
    *now = (struct timespec){.tv_sec = 1000};
    return 0;
}
int poll(struct pollfd *waits, nfds_t count, int timeout) {
    struct timespec none = {0};
    return (int)syscall(SYS_ppoll, waits, count, timeout == 0 ? &none : NULL, NULL, 0);
}
