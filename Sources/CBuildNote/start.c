#include "build_note.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static int argument_count;
static char **arguments;

int own_argument_count(void) { return argument_count; }
const char *own_argument(int index) { return index < argument_count ? arguments[index] : NULL; }

// Reports why the program cannot run, in the format of a CommandFailure, and ends it.
static void refuse(const char *code, const char *message, const char *next_step) {
    const int status = 75;
    for (int index = 1; index < argument_count; index++) {
        if (strcmp(arguments[index], "--json") != 0) continue;
        dprintf(STDOUT_FILENO,
                "{\"code\":\"%s\",\"during\":\"starting\",\"event\":\"failed\",\"exit\":%d,\"message\":\"%s\","
                "\"next_step\":\"%s\",\"schema\":1}\n",
                code, status, message, next_step);
        break;
    }
    dprintf(STDERR_FILENO, "error %s, while starting: %s\nnext:  %s\n", code, message, next_step);
    _exit(status);
}

// Whether /proc is mounted, and shows the processes of this process's namespace.
static int sees_itself(void) {
    char target[32];
    ssize_t count = readlink("/proc/self", target, sizeof target - 1);
    target[count > 0 ? count : 0] = 0;
    return atol(target) == (long)getpid();
}

// Runs before Swift's runtime. libdispatch traps if it gets no descriptor for its first queue, and waits forever for a
// thread that it cannot start. Once a second it counts its threads in /proc/THREAD/stat, and traps if one is missing.
// glibc passes the arguments of main to a constructor.
__attribute__((constructor)) static void start(int count, char **values) {
    argument_count = count;
    arguments = values;
    char message[160];
    struct rlimit limit;
    int has_limit = getrlimit(RLIMIT_NOFILE, &limit) == 0;
    // The program may raise its soft limit itself.
    if (has_limit && limit.rlim_cur < least_descriptors && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max < 256 ? limit.rlim_max : 256;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
    if (has_limit && limit.rlim_max < least_descriptors_to_start) {
        snprintf(message, sizeof message, "the system allows this program %llu open files and sockets; it needs %d",
                 (unsigned long long)limit.rlim_max, least_descriptors);
        refuse("descriptors-exhausted", message,
               "raise the limit with `ulimit -n 256`, or close other programs; then run the same command again");
    }
    if (!sees_itself())
        refuse("proc-missing", "/proc is missing, or shows the processes of another namespace; the runtime needs it to count its threads",
               "mount it with `mount -t proc proc /proc`, or run the command where /proc is mounted");
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur < (rlim_t)least_megabytes << 20) {
        snprintf(message, sizeof message, "the system allows this program %llu MB of address space; it needs %d",
                 (unsigned long long)(limit.rlim_cur >> 20), least_megabytes);
        refuse("memory-limited", message, "raise the limit with `ulimit -v unlimited`, then run the same command again");
    }
}
