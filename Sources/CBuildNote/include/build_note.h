// What this program was built from, what it was started with, and what it says when it crashes or cannot start.
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

// How many files and sockets have to be allowed: for any command, and for Swift's runtime to get as far as to say so.
enum { least_descriptors = 24, least_descriptors_to_start = 8 };
// How much address space: the libraries take 120 MB, each thread 8 MB, and memory is reserved in blocks of 64 MB.
enum { least_megabytes = 256 };

// The arguments of this process, its name first.
int own_argument_count(void);
const char *own_argument(int index);
