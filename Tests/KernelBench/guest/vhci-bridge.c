// Carries HCI packets between a virtio port, which leads to the host's virtual controller, and /dev/vhci.
// The port is a stream of H4 packets; vhci wants exactly one packet per read and write (the kernel's
// drivers/bluetooth/hci_vhci.c). When the host drops the port, vhci is closed: for the kernel, the adapter
// has been unplugged. When the host comes back, a new one is plugged in.
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void die(const char *what) {
    fprintf(stderr, "vhci-bridge: %s: %s\n", what, strerror(errno));
    exit(1);
}

// Whole length of the H4 packet that starts at `bytes`, or 0 while its header is incomplete.
static size_t packet_length(const unsigned char *bytes, size_t count) {
    if (count < 1) return 0;
    switch (bytes[0]) {
    case 1:  // command: opcode 2, length 1
    case 3:  // synchronous data: handle 2, length 1
        return count < 4 ? 0 : 4 + (size_t)bytes[3];
    case 2:  // asynchronous data: handle 2, length 2
        return count < 5 ? 0 : 5 + (size_t)(bytes[3] | bytes[4] << 8);
    case 4:  // event: code 1, length 1
        return count < 3 ? 0 : 3 + (size_t)bytes[2];
    case 5:  // isochronous data: handle 2, length 14 bits
        return count < 5 ? 0 : 5 + (size_t)(bytes[3] | (bytes[4] & 0x3F) << 8);
    default:
        fprintf(stderr, "vhci-bridge: not an H4 packet: %02x\n", bytes[0]);
        exit(1);
    }
}

static int plug_in(void) {
    int vhci = open("/dev/vhci", O_RDWR);
    if (vhci < 0) die("/dev/vhci");
    const unsigned char primary[2] = {0xFF, 0x00};
    if (write(vhci, primary, 2) != 2) die("create the adapter");
    unsigned char answer[16];
    if (read(vhci, answer, sizeof answer) < 4) die("adapter's answer");
    return vhci;
}

// False when the host is gone.
static int send_to_port(int port, const unsigned char *bytes, size_t count) {
    while (count > 0) {
        ssize_t sent = write(port, bytes, count);
        if (sent > 0) {
            bytes += sent;
            count -= (size_t)sent;
            continue;
        }
        if (sent < 0 && errno != EAGAIN && errno != EINTR) return 0;
        struct pollfd wait = {.fd = port, .events = POLLOUT};
        if (poll(&wait, 1, 1000) > 0 && (wait.revents & POLLHUP)) return 0;
    }
    return 1;
}

static void carry(int port, int vhci) {
    static unsigned char stream[1 << 17];
    size_t held = 0;
    for (;;) {
        struct pollfd ends[2] = {{.fd = port, .events = POLLIN}, {.fd = vhci, .events = POLLIN}};
        if (poll(ends, 2, -1) < 0) die("poll");
        if (ends[0].revents & POLLIN) {
            ssize_t count = read(port, stream + held, sizeof stream - held);
            if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) return;
            if (count > 0) held += (size_t)count;
            size_t start = 0, length;
            while ((length = packet_length(stream + start, held - start)) && length <= held - start) {
                // ENXIO: the adapter is down, and further packets of the controller are dropped.
                if (write(vhci, stream + start, length) < 0 && errno != ENXIO) die("write to vhci");
                start += length;
            }
            held -= start;
            memmove(stream, stream + start, held);
        } else if (ends[0].revents & POLLHUP) {
            return;
        }
        if (ends[1].revents & POLLIN) {
            unsigned char packet[4096];
            ssize_t count = read(vhci, packet, sizeof packet);
            if (count > 0 && !send_to_port(port, packet, (size_t)count)) return;
        }
    }
}

int main(int count, char **arguments) {
    if (count != 2) return 64;
    int port = open(arguments[1], O_RDWR | O_NONBLOCK);
    if (port < 0) die(arguments[1]);
    for (;;) {
        for (;;) {  // until the host is there
            struct pollfd wait = {.fd = port, .events = POLLOUT};
            if (poll(&wait, 1, 0) >= 0 && !(wait.revents & POLLHUP)) break;
            usleep(50000);
        }
        int vhci = plug_in();
        carry(port, vhci);
        close(vhci);
        unsigned char rest[4096];  // remaining packets of the old controller are dropped
        while (read(port, rest, sizeof rest) > 0) {}
    }
}
