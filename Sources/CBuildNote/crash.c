#define _GNU_SOURCE
#include "build_note.h"
#include <execinfo.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT};
static char words[1024];

// Only what signal-safety(7) allows, and backtrace(3), whose library is loaded by then.
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
    // A stack that is used up must not keep it from being said.
    static char reserve[64 * 1024];
    stack_t stack = {.ss_sp = reserve, .ss_size = sizeof reserve};
    sigaltstack(&stack, NULL);
    // SA_RESETHAND: the signal that it raises again ends the process, with a core dump where those are kept.
    struct sigaction action = {.sa_handler = say, .sa_flags = SA_ONSTACK | SA_RESETHAND | SA_NODEFER};
    for (size_t index = 0; index < sizeof signals / sizeof *signals; index++) sigaction(signals[index], &action, NULL);
}
