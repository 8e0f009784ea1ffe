// What this program was built from, and what it says when it crashes.
#pragma once
#include <stddef.h>

// The JSON object of the program's package note, NUL-terminated: `.note.package`, as systemd's "Package Metadata for
// Executable Files" describes it. `{}` until `scripts/stamp` has written one.
const char *package_note(void);

// Writes the build id (the descriptor of `.note.gnu.build-id`) in hex into `text`, NUL-terminated; empty where there is none.
void build_identifier(char *text, size_t size);

// From now on a crash (SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT) writes `words` and the addresses of the calls to
// stderr, and then does what it would have done. Of `words` a copy is kept, of at most 1023 bytes.
void report_crashes(const char *words);
