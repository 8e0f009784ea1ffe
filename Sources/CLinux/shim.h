// What Swift's Glibc module leaves out: epoll and eventfd, and the composed flags of socket types.
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static const int packet_socket_type = SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC;
static const unsigned int epoll_wants_input = EPOLLIN | EPOLLRDHUP | EPOLLONESHOT;
static const unsigned int epoll_wants_output = EPOLLOUT | EPOLLONESHOT;
static const unsigned int epoll_level_input = EPOLLIN;
static const int epoll_close_on_exec = EPOLL_CLOEXEC;
static const int eventfd_flags = EFD_CLOEXEC | EFD_NONBLOCK;

// At most this many packets with one call.
enum { most_packets_at_once = 16 };

// sendmmsg(2), whose prototype needs _GNU_SOURCE: `count` packets that lie one behind the other in `bytes`.
static inline long send_packets(int socket, const void *bytes, const unsigned int *lengths, unsigned int count) {
    struct { struct msghdr header; unsigned int sent; } messages[most_packets_at_once] = {0};
    struct iovec pieces[most_packets_at_once];
    const char *next = (const char *)bytes;
    if (count > most_packets_at_once) count = most_packets_at_once;
    for (unsigned int i = 0; i < count; i++) {
        pieces[i].iov_base = (void *)next;
        pieces[i].iov_len = lengths[i];
        messages[i].header.msg_iov = &pieces[i];
        messages[i].header.msg_iovlen = 1;
        next += lengths[i];
    }
    return syscall(SYS_sendmmsg, socket, messages, count, MSG_NOSIGNAL);
}
