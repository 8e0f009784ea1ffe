#define _GNU_SOURCE
#include "build_note.h"
#include <execinfo.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT};
static char words[1024];

// Only async-signal-safe calls (signal-safety(7)), and backtrace(3), whose library is already loaded.
static void say(int signal) {
    void *calls[48];
    ssize_t ignored = write(STDERR_FILENO, words, strlen(words));
    (void)ignored;
    backtrace_symbols_fd(calls, backtrace(calls, 48), STDERR_FILENO);
    raise(signal);
}

void report_crashes(const char *text) {
    strncpy(words, text, sizeof words - 1);
    void *call;
    backtrace(&call, 1);
    // The handler has its own stack, so that it can report an exhausted stack.
    static char reserve[64 * 1024];
    stack_t stack = {.ss_sp = reserve, .ss_size = sizeof reserve};
    sigaltstack(&stack, NULL);
    // SA_RESETHAND: raising the signal again ends the process, with a core dump if those are enabled.
    struct sigaction action = {.sa_handler = say, .sa_flags = SA_ONSTACK | SA_RESETHAND | SA_NODEFER};
    for (size_t index = 0; index < sizeof signals / sizeof *signals; index++) sigaction(signals[index], &action, NULL);
}
