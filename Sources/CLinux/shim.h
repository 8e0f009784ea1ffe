// Declarations missing from Swift's Glibc module (epoll, eventfd, clock synchronisation status, composed flags), and
// system calls that the C library does not declare.
#include <linux/capability.h>
#include <linux/memfd.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timex.h>
#include <sys/uio.h>
#include <unistd.h>
#include <wchar.h>
#include <spawn.h>

// wcwidth(3), whose prototype needs _XOPEN_SOURCE.
extern int wcwidth(wchar_t character);

static const int packet_socket_type = SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC;
static const unsigned int epoll_wants_input = EPOLLIN | EPOLLRDHUP | EPOLLONESHOT;
static const unsigned int epoll_wants_output = EPOLLOUT | EPOLLONESHOT;
static const unsigned int epoll_level_input = EPOLLIN;
static const int epoll_close_on_exec = EPOLL_CLOEXEC;
static const int eventfd_flags = EFD_CLOEXEC | EFD_NONBLOCK;

// memfd_create(2), whose prototype needs _GNU_SOURCE: a file in memory, removed with its last descriptor. -1 on
// failure.
static inline int memory_file(const char *name) { return (int)syscall(SYS_memfd_create, name, MFD_CLOEXEC); }

// pipe2(2), whose prototype needs _GNU_SOURCE: a pipe that is closed on exec from the start. -1 on failure.
// EPOLL_CLOEXEC is O_CLOEXEC by definition; fcntl.h would make struct stat a part of this module.
static inline int private_pipe(int ends[2]) { return (int)syscall(SYS_pipe2, ends, EPOLL_CLOEXEC); }

// pidfd_open(2), which older C libraries lack: a descriptor that becomes readable when `process` has ended. -1
// on failure.
static inline int process_descriptor(int process) { return (int)syscall(SYS_pidfd_open, process, 0); }

// The maximum number of packets in one call of `send_packets`.
enum { most_packets_at_once = 16 };

// sendmmsg(2), whose prototype needs _GNU_SOURCE: sends packets of `header` and `length` bytes of `bytes`, which has
// `count` bytes; the last packet may be shorter. Returns the number of accepted packets, -1 on failure.
static inline long send_packets(int socket, const void *header, size_t header_length, const void *bytes, size_t count,
                                size_t length) {
    struct { struct msghdr header; unsigned int sent; } messages[most_packets_at_once] = {0};
    struct iovec pieces[2 * most_packets_at_once];
    unsigned int number = 0;
    for (size_t at = 0; at < count && number < most_packets_at_once; at += length, number++) {
        struct iovec *two = pieces + 2 * number;
        two[0].iov_base = (void *)header;
        two[0].iov_len = header_length;
        two[1].iov_base = (char *)bytes + at;
        two[1].iov_len = count - at < length ? count - at : length;
        messages[number].header.msg_iov = two;
        messages[number].header.msg_iovlen = 2;
    }
    return syscall(SYS_sendmmsg, socket, messages, number, MSG_NOSIGNAL);
}

// SO_PEERCRED (unix(7)), whose `struct ucred` needs _GNU_SOURCE: the process at the other end of `socket`; for a
// listening socket, the process that began to listen. 0 if the kernel cannot name it here, -1 on failure.
static inline int peer_process(int socket) {
    struct { int process, user, group; } credentials;
    socklen_t length = sizeof credentials;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &length) != 0) return -1;
    return credentials.process;
}

// The three capability sets of this thread, one bit each (capabilities(7)).
struct capability_sets { unsigned long long effective, permitted, inheritable; };

// capget(2), which the C library does not declare. 0, or -1 on failure.
static inline int read_capabilities(struct capability_sets *sets) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
    struct __user_cap_data_struct halves[_LINUX_CAPABILITY_U32S_3] = {{0}};
    if (syscall(SYS_capget, &header, halves) != 0) return -1;
    sets->effective = halves[0].effective | (unsigned long long)halves[1].effective << 32;
    sets->permitted = halves[0].permitted | (unsigned long long)halves[1].permitted << 32;
    sets->inheritable = halves[0].inheritable | (unsigned long long)halves[1].inheritable << 32;
    return 0;
}

// capset(2), for this thread. 0, or -1 on failure.
static inline int write_capabilities(struct capability_sets sets) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
    struct __user_cap_data_struct halves[_LINUX_CAPABILITY_U32S_3] = {
        {(unsigned)sets.effective, (unsigned)sets.permitted, (unsigned)sets.inheritable},
        {(unsigned)(sets.effective >> 32), (unsigned)(sets.permitted >> 32), (unsigned)(sets.inheritable >> 32)},
    };
    return (int)syscall(SYS_capset, &header, halves);
}

// posix_spawn_file_actions_addclosefrom_np(3), which needs _GNU_SOURCE: the child gets no descriptor from `first` on.
static inline int spawn_close_from(posix_spawn_file_actions_t *actions, int first) {
    extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int);
    return posix_spawn_file_actions_addclosefrom_np(actions, first);
}
