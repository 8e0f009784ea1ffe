// What Swift's Glibc module leaves out: epoll and eventfd, and the composed flags of socket types.
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

static const int packet_socket_type = SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC;
static const unsigned int epoll_wants_input = EPOLLIN | EPOLLRDHUP | EPOLLONESHOT;
static const unsigned int epoll_wants_output = EPOLLOUT | EPOLLONESHOT;
static const unsigned int epoll_level_input = EPOLLIN;
static const int epoll_close_on_exec = EPOLL_CLOEXEC;
static const int eventfd_flags = EFD_CLOEXEC | EFD_NONBLOCK;
