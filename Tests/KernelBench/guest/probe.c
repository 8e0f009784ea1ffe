// The simplest client that can flash the bench's beacons through kernel sockets. It distinguishes a broken bench from
// a broken program; it is no model of a good client: no pacing, no judgement, one handle after the other.
//
//   probe flash ADDRESS INIT-PACKET IMAGE [secure]    0 done; 1 refused; 75 link lost five times
//   probe enter ADDRESS                               sends an application to its bootloader
//   probe suota ADDRESS IMAGE [WAY [BYTES]]           by blocks of 240 in chunks of 20; `large`: 488 and 244
//                                                     `channel`: over PSM 0081 in packets of so many bytes, or as
//                                                     many as it takes, and END once everything has arrived
//                                                     `hasty`: likewise, without waiting
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

typedef struct {  // as the kernel lays it out: 14 bytes without gaps
    uint16_t family, psm;
    uint8_t address[6];
    uint16_t cid;
    uint8_t type, padding;
} l2cap_address;

enum { SOL_BLUETOOTH_ = 274, BT_SECURITY_ = 4, BT_SNDMTU_ = 12, PUBLIC = 1, RANDOM = 2, ATT_CID = 4 };
enum { SUOTA_PSM = 0x81 };
enum { LOST = 75, REFUSED = 1 };

static int channel = -1, mtu;
static uint16_t control, packets, buttonless;
static uint16_t memory_device, pins, memory_info, patch_length, patch_data, status;
static uint8_t answer[600], notified[600];
static int notified_count;

static void fail(const char *what, int status) {
    printf("{\"event\":\"failed\",\"during\":\"%s\",\"errno\":\"%s\"}\n", what, strerror(errno));
    fflush(stdout);
    exit(status);
}

// Confirms a pairing without keys. The kernel asks user space even then, through the management channel.
static int agent(void) {
    struct { uint16_t family, device, channel; } here = {AF_BLUETOOTH, 0xFFFF, 3};
    int management = socket(AF_BLUETOOTH, SOCK_RAW, 1);
    if (management < 0 || bind(management, (struct sockaddr *)&here, sizeof here)) fail("management", 77);
    return management;
}

static void agree(int management) {
    uint8_t event[512];
    int count = read(management, event, sizeof event);
    if (count < 18 || event[0] != 0x0F) return;  // User Confirmation Request: address 6, its type, hint, value
    uint8_t reply[13] = {0x1C, 0, event[2], event[3], 7, 0};
    memcpy(reply + 6, event + 6, 7);
    if (write(management, reply, sizeof reply) < 0) fail("confirmation", REFUSED);
}

static int open_channel(const uint8_t *address, int secure) {
    channel = socket(AF_BLUETOOTH, SOCK_SEQPACKET | SOCK_NONBLOCK, 0);
    if (channel < 0) fail("socket", 69);
    l2cap_address here = {.family = AF_BLUETOOTH, .cid = ATT_CID, .type = PUBLIC};
    if (bind(channel, (struct sockaddr *)&here, sizeof here)) fail("bind", 69);
    int small = 4096;
    setsockopt(channel, SOL_SOCKET, SO_SNDBUF, &small, sizeof small);
    l2cap_address there = {.family = AF_BLUETOOTH, .cid = ATT_CID, .type = RANDOM};
    memcpy(there.address, address, 6);
    if (connect(channel, (struct sockaddr *)&there, sizeof there) && errno != EINPROGRESS) return 0;
    struct pollfd wait = {.fd = channel, .events = POLLOUT};
    if (poll(&wait, 1, 4000) != 1) return 0;
    socklen_t size = sizeof errno;
    int error = 0;
    getsockopt(channel, SOL_SOCKET, SO_ERROR, &error, &size);
    if ((errno = error)) return 0;
    struct { uint8_t level, key_size; } medium = {2, 0};
    if (!secure) return 1;
    if (setsockopt(channel, SOL_BLUETOOTH_, BT_SECURITY_, &medium, sizeof medium)) fail("security", REFUSED);
    // Until the link is encrypted the socket counts as not connected (BT_CONFIG in net/bluetooth/l2cap_sock.c).
    struct pollfd both[2] = {{.fd = channel, .events = POLLOUT}, {.fd = agent(), .events = POLLIN}};
    int ready;
    while ((ready = poll(both, 2, 10000)) > 0 && !both[0].revents) agree(both[1].fd);
    close(both[1].fd);
    return ready > 0 && !(both[0].revents & (POLLERR | POLLHUP));
}

static int send_pdu(const void *pdu, int count) {
    for (;;) {
        if (send(channel, pdu, count, MSG_NOSIGNAL) == count) return 1;
        if (errno != EAGAIN) return 0;
        struct pollfd wait = {.fd = channel, .events = POLLOUT};
        poll(&wait, 1, 10000);
    }
}

// Receives one PDU of the beacon; notifications are stored. Returns its length, 0 after a notification, -1 for a lost link.
static int receive(void) {
    struct pollfd wait = {.fd = channel, .events = POLLIN};
    if (poll(&wait, 1, 10000) != 1) return -1;
    int count = recv(channel, answer, sizeof answer, 0);
    if (count <= 0) return -1;
    if (answer[0] == 0x1B || answer[0] == 0x1D) {
        memcpy(notified, answer + 3, count - 3);
        notified_count = count - 3;
        if (answer[0] == 0x1D) send_pdu("\x1E", 1);
        return 0;
    }
    if (!(answer[0] & 1)) {  // a request; we have nothing to offer
        uint8_t error[5] = {0x01, answer[0], 0, 0, 0x06};
        send_pdu(error, 5);
        return receive();
    }
    return count;
}

static int request(const void *pdu, int count) {
    if (!send_pdu(pdu, count)) return -1;
    int got;
    while ((got = receive()) == 0) {}
    return got;
}

static int write_value(uint16_t handle, const uint8_t *value, int count) {
    uint8_t pdu[600] = {0x12, handle, handle >> 8};
    memcpy(pdu + 3, value, count);
    for (int attempt = 0; attempt < 50; attempt++) {
        int got = request(pdu, count + 3);
        if (got < 0) return 0;
        if (answer[0] == 0x13) return 1;
        if (answer[0] != 0x01 || answer[4] != 0x05) fail("write", REFUSED);
        usleep(100000);  // until the link is encrypted
    }
    fail("encryption", REFUSED);
    return 0;
}

static void note_dfu(uint16_t handle, const uint8_t *uuid) {
    if (uuid[15] != 0x8E || uuid[14] != 0xC9) return;
    if (uuid[12] == 1) control = handle;
    if (uuid[12] == 2) packets = handle;
    if (uuid[12] == 3) buttonless = handle;
}

static void note_suota(uint16_t handle, const uint8_t *uuid) {
    switch (uuid[15] << 8 | uuid[14]) {
        case 0x8082: memory_device = handle; break;
        case 0x7242: pins = handle; break;
        case 0x6C53: memory_info = handle; break;
        case 0x9D84: patch_length = handle; break;
        case 0x4578: patch_data = handle; break;
        case 0x5F78: status = handle; break;
    }
}

// Agrees on an MTU, and prints every characteristic with a UUID of 128 bits.
static int discover(void (*note)(uint16_t, const uint8_t *)) {
    uint8_t exchange[3] = {0x02, 247, 0};
    if (request(exchange, 3) != 3) return 0;
    mtu = answer[1] | answer[2] << 8;
    if (mtu > 247) mtu = 247;
    for (uint16_t from = 1; from;) {
        uint8_t search[7] = {0x08, from, from >> 8, 0xFF, 0xFF, 0x03, 0x28};
        int got = request(search, 7);
        if (got < 0) return 0;
        if (answer[0] != 0x09) break;
        for (int at = 2; at + answer[1] <= got; at += answer[1]) {
            uint16_t handle = answer[at + 3] | answer[at + 4] << 8;
            if (answer[1] == 21) note(handle, answer + at + 5);
            from = handle + 1;
        }
    }
    printf("{\"event\":\"connected\",\"mtu\":%d}\n", mtu);
    fflush(stdout);
    return 1;
}

static int prepare(void) {
    control = packets = buttonless = 0;
    if (!discover(note_dfu)) return 0;
    uint8_t on[2] = {buttonless ? 2 : 1, 0};
    return write_value((buttonless ? buttonless : control) + 1, on, 2);
}

static uint32_t crc32(const uint8_t *bytes, int count) {
    uint32_t crc = ~0u;
    while (count--) {
        crc ^= *bytes++;
        for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320 : 0);
    }
    return ~crc;
}

static uint32_t number(int at) {
    uint32_t value;
    memcpy(&value, notified + at, 4);
    return value;
}

// The result code, or -1 for a lost link.
static int command(const uint8_t *bytes, int count) {
    notified_count = 0;
    if (!write_value(control, bytes, count)) return -1;
    while (notified_count < 3 || notified[1] != bytes[0])
        if (receive() < 0) return -1;
    return notified[2];
}

static int create(int type, uint32_t size) {
    uint8_t bytes[6] = {1, type};
    memcpy(bytes + 2, &size, 4);
    return command(bytes, 6);
}

// Sends bytes[from..<to] and has them confirmed.
static int stream(const uint8_t *bytes, int from, int to) {
    while (from < to) {
        int count = to - from < (mtu - 3) / 4 * 4 ? to - from : (mtu - 3) / 4 * 4;
        uint8_t pdu[600] = {0x52, packets, packets >> 8};
        memcpy(pdu + 3, bytes + from, count);
        if (!send_pdu(pdu, count + 3)) return -1;
        from += count;
    }
    int result = command((const uint8_t[]){3}, 1);
    if (result != 1) return result;
    if (number(3) != (uint32_t)to || number(7) != crc32(bytes, to)) fail("checksum", REFUSED);
    return 1;
}

static int flash(const uint8_t *init, int init_size, const uint8_t *image, int size) {
    int result;
#define NEEDS(call) if ((result = (call)) != 1) return result
    NEEDS(command((const uint8_t[]){2, 0, 0}, 3));
    NEEDS(command((const uint8_t[]){6, 1}, 2));
    if (number(7) != (uint32_t)init_size || number(11) != crc32(init, init_size)) {
        NEEDS(create(1, init_size));
        NEEDS(stream(init, 0, init_size));
    }
    NEEDS(command((const uint8_t[]){4}, 1));
    NEEDS(command((const uint8_t[]){6, 2}, 2));
    int at = (int)number(7);
    if (at > size || number(11) != crc32(image, at)) at = 0;
    if (at) printf("{\"event\":\"resumed\",\"offset\":%d}\n", at);
    if (at % 4096) {
        int end = (at / 4096 + 1) * 4096 < size ? (at / 4096 + 1) * 4096 : size;
        NEEDS(stream(image, at, end));
        NEEDS(command((const uint8_t[]){4}, 1));
        at = end;
    }
    while (at < size) {
        int end = at + 4096 < size ? at + 4096 : size;
        NEEDS(create(2, end - at));
        NEEDS(stream(image, at, end));
        NEEDS(command((const uint8_t[]){4}, 1));
        at = end;
    }
    return 1;
}

static int contents(const char *path, uint8_t *bytes, int limit) {
    int file = open(path, O_RDONLY);
    int count = file < 0 ? -1 : read(file, bytes, limit);
    if (count <= 0) fail(path, 66);
    return count;
}

// The status that follows the answer to the write, or to none; -1 for a lost link.
static int await_status(uint16_t handle, const uint8_t *value, int count) {
    notified_count = 0;
    if (handle && !write_value(handle, value, count)) return -1;
    while (notified_count < 1)
        if (receive() < 0) return -1;
    return notified[0];
}

static int suota_blocks(const uint8_t *image, int size, int full, int most) {
    uint8_t all = 0;
    for (int at = 0; at < size; at++) all ^= image[at];
    int announced = 0, result;
    for (int at = 0; at <= size; at += announced) {
        int block = size + 1 - at < full ? size + 1 - at : full;
        if (block != announced) {
            uint8_t length[2] = {block, block >> 8};
            if (!write_value(patch_length, length, 2)) return -1;
            announced = block;
        }
        notified_count = 0;
        for (int from = at; from < at + block; from += most) {
            int chunk = at + block - from < most ? at + block - from : most;
            uint8_t pdu[600] = {0x52, patch_data, patch_data >> 8};
            for (int i = 0; i < chunk; i++) pdu[3 + i] = from + i < size ? image[from + i] : all;
            if (!send_pdu(pdu, chunk + 3)) return -1;
        }
        while (notified_count < 1)
            if (receive() < 0) return -1;
        if ((result = notified[0]) != 2) return result;
    }
    return 2;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

static int suota_channel(const uint8_t *address, const uint8_t *image, int size, int hasty, int packet) {
    int stream = socket(AF_BLUETOOTH, SOCK_SEQPACKET, 0);
    l2cap_address here = {.family = AF_BLUETOOTH, .type = PUBLIC};
    l2cap_address there = {.family = AF_BLUETOOTH, .psm = SUOTA_PSM, .type = RANDOM};
    memcpy(there.address, address, 6);
    if (stream < 0 || bind(stream, (struct sockaddr *)&here, sizeof here) ||
        connect(stream, (struct sockaddr *)&there, sizeof there)) fail("channel", REFUSED);
    uint16_t most = 0;
    socklen_t length = sizeof most;
    if (getsockopt(stream, SOL_BLUETOOTH_, BT_SNDMTU_, &most, &length)) fail("channel mtu", REFUSED);
    printf("{\"event\":\"opened\",\"maximum_packet\":%d}\n", most);
    if (packet && packet < most) most = packet;
    double begun = now();
    for (int at = 0; at < size; at += most)
        if (send(stream, image + at, size - at < most ? size - at : most, MSG_NOSIGNAL) < 0) return -1;
    // Packets that wait for credits would arrive after an END.
    uint32_t arrived = 0, reads = 0;
    while (!hasty && arrived != (uint32_t)size) {
        uint8_t read_info[3] = {0x0A, memory_info, memory_info >> 8};
        if (request(read_info, 3) != 5) return -1;
        memcpy(&arrived, answer + 1, 4);
        if (!reads++) printf("{\"event\":\"sent\",\"bytes\":%d,\"arrived\":%u}\n", size, arrived);
    }
    if (!hasty) printf("{\"event\":\"arrived\",\"seconds\":%.3f,\"reads\":%u}\n", now() - begun, reads);
    fflush(stdout);
    return 2;
}

static int suota(const uint8_t *address, const uint8_t *image, int size, const char *way, int packet) {
    int result;
    if (!write_value(status + 1, (const uint8_t[]){1, 0}, 2)) return -1;
    if ((result = await_status(memory_device, (const uint8_t[]){0, 0, 0, 0x13}, 4)) != 0x10) return result;
    if (!write_value(pins, (const uint8_t[]){0x00, 0x03, 0x06, 0x05}, 4)) return -1;
    if (!way) result = suota_blocks(image, size, 240, 20);
    else if (!strcmp(way, "large")) result = suota_blocks(image, size, 488, 244);
    else result = suota_channel(address, image, size, !strcmp(way, "hasty"), packet);
    if (result != 2) return result;
    if ((result = await_status(memory_device, (const uint8_t[]){0, 0, 0, 0xFE}, 4)) != 2) return result;
    write_value(memory_device, (const uint8_t[]){0, 0, 0, 0xFD}, 4);
    while (receive() >= 0) {}
    return 2;
}

static int flash_suota(const uint8_t *address, const char *path, const char *way, int packet) {
    static uint8_t image[1 << 20];
    int size = contents(path, image, sizeof image);
    for (int attempt = 0; attempt < 5; attempt++) {
        if (open_channel(address, 0) && discover(note_suota)) {
            int result = suota(address, image, size, way, packet);
            if (result >= 0) {
                printf("{\"event\":\"%s\",\"status\":\"%02x\"}\n", result == 2 ? "finished" : "refused", result);
                return result == 2 ? 0 : REFUSED;
            }
        }
        printf("{\"event\":\"retry\",\"errno\":\"%s\"}\n", strerror(errno));
        fflush(stdout);
        close(channel);
        usleep(500000);
    }
    fail("link", LOST);
    return LOST;
}

int main(int count, char **words) {
    uint8_t address[6];
    if (count < 3 || sscanf(words[2], "%hhx:%hhx:%hhx:%hhx:%hhx:%hhx", address + 5, address + 4, address + 3,
                            address + 2, address + 1, address) != 6) return 64;
    if (!strcmp(words[1], "enter")) {
        if (!open_channel(address, 0) || !prepare() || !write_value(buttonless, (const uint8_t[]){1}, 1))
            fail("enter", LOST);
        while (notified_count < 3)
            if (receive() < 0) fail("indication", LOST);
        usleep(300000);  // closing at once could overtake the confirmation
        return notified[2] == 1 ? 0 : REFUSED;
    }
    if (!strcmp(words[1], "suota"))
        return flash_suota(address, words[3], count > 4 ? words[4] : NULL, count > 5 ? atoi(words[5]) : 0);
    static uint8_t init[1024], image[1 << 20];
    int init_size = contents(words[3], init, sizeof init), size = contents(words[4], image, sizeof image);
    for (int attempt = 0; attempt < 5; attempt++) {
        if (open_channel(address, count > 5) && prepare()) {
            int result = flash(init, init_size, image, size);
            if (result == 1) {
                printf("{\"event\":\"finished\",\"bytes\":%d}\n", size);
                return 0;
            }
            if (result > 1) fail("refused", REFUSED);
        }
        printf("{\"event\":\"retry\",\"errno\":\"%s\"}\n", strerror(errno));
        fflush(stdout);
        close(channel);
        usleep(500000);
    }
    fail("link", LOST);
}
