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

// sendmmsg(2), whose prototype needs _GNU_SOURCE: packets of `header` and `length` of `bytes`, of which there are
// `count`; the last packet may be shorter. How many packets were taken, -1 for none.
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
