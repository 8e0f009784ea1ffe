// The kernel's Bluetooth sockets. Only constants and structs are used; the library is not linked.
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <bluetooth/bluetooth.h>
#include <bluetooth/hci.h>
#include <bluetooth/l2cap.h>

// Swift does not import composed macros.
static const int bluetooth_management_socket_type = SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC;
static const int bluetooth_packet_socket_type = SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC;
static const int bluetooth_family = AF_BLUETOOTH;
static const int bluetooth_level = SOL_BLUETOOTH;
static const int hci_level = SOL_HCI;

// accept4(2), whose prototype needs _GNU_SOURCE: a non-blocking channel that is closed on exec. -1 on failure.
static inline int accept_channel(int listener, struct sockaddr *place, socklen_t *length) {
    return (int)syscall(SYS_accept4, listener, place, length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}
