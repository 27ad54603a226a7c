// Runs a command and prints what it and its children took: microseconds of CPU, KiB of the largest process.
// A program of its own because a child begins with the memory figure of the process that started it.
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int count, char **words) {
    if (count < 2) return 2;
    pid_t child = fork();
    if (child == 0) {
        execvp(words[1], words + 1);
        _exit(127);
    }
    int status;
    struct rusage usage;
    if (child < 0 || wait4(child, &status, 0, &usage) < 0) return 2;
    long micro = (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000L + usage.ru_utime.tv_usec + usage.ru_stime.tv_usec;
    fprintf(stderr, "\n%ld %ld\n", micro, usage.ru_maxrss);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
