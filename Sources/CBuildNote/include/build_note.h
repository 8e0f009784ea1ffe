// The origin of this program, its arguments, and its messages when it crashes or cannot start.
#pragma once
#include <stddef.h>

// The JSON object of the program's package note, NUL-terminated: `.note.package`, as systemd's "Package Metadata for
// Executable Files" describes it. `{}` until `scripts/package/stamp` has written one.
const char *package_note(void);

// Writes the build id (the descriptor of `.note.gnu.build-id`) in hex into `text`, NUL-terminated; empty if
// there is none.
void build_identifier(char *text, size_t size);

// From now on a crash (SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT) writes `words` and the addresses of the
// active calls to stderr, and then ends the process as usual. A copy of `words` is kept, of at most 1023 bytes.
void report_crashes(const char *words);

// The minimum number of file descriptors: for any command, and for Swift's runtime to start and report that error.
enum { least_descriptors = 24, least_descriptors_to_start = 8 };
// The minimum address space: the libraries take 120 MB, each thread 8 MB, and memory is reserved in blocks of 64 MB.
enum { least_megabytes = 256 };

// The arguments of this process, its name first.
int own_argument_count(void);
const char *own_argument(int index);
