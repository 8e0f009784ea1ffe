// What the programs that measure connections share: the units, their sockets, and lines of JSON.
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

typedef struct {
    uint16_t family, psm;
    uint8_t address[6];
    uint16_t cid;
    uint8_t type, padding;
} l2cap_address;

enum { RANDOM = 2, PUBLIC = 1, ATT_CID = 4, MOST = 64 };

typedef struct {
    uint8_t address[6];
    int channel, linked;
    double heard;
} unit;

static unit units[MOST];
static int count;
static double begun;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

static void name_of(const uint8_t *address, char *text) {
    sprintf(text, "%02X:%02X:%02X:%02X:%02X:%02X", address[5], address[4], address[3], address[2], address[1], address[0]);
}

static void say(const char *event, const uint8_t *address, const char *more) {
    char text[18] = "";
    if (address) name_of(address, text);
    printf("{\"event\":\"%s\",\"at\":%.3f%s%s%s%s}\n", event, now() - begun, address ? ",\"address\":\"" : "", text,
           address ? "\"" : "", more);
    fflush(stdout);
}

static void say_error(const char *event, const uint8_t *address, int error) {
    char more[120];
    snprintf(more, sizeof more, ",\"errno\":\"%s\"", strerror(error));
    say(event, address, more);
}

static void fail(const char *what) {
    say_error(what, NULL, errno);
    exit(69);
}

static int open_socket(void) {
    int channel = socket(AF_BLUETOOTH, SOCK_SEQPACKET | SOCK_NONBLOCK, 0);
    l2cap_address here = {.family = AF_BLUETOOTH, .cid = ATT_CID, .type = PUBLIC};
    if (channel < 0 || bind(channel, (struct sockaddr *)&here, sizeof here)) fail("socket");
    return channel;
}

static void begin_connecting(unit *one) {
    one->channel = open_socket();
    l2cap_address there = {.family = AF_BLUETOOTH, .cid = ATT_CID, .type = RANDOM};
    memcpy(there.address, one->address, 6);
    if (connect(one->channel, (struct sockaddr *)&there, sizeof there) && errno != EINPROGRESS) fail("connect");
}

// The outcome within so many seconds: 0 for a link, otherwise an errno.
static int outcome(unit *one, double seconds) {
    struct pollfd wait = {.fd = one->channel, .events = POLLOUT};
    if (poll(&wait, 1, (int)(seconds * 1000)) != 1) return ETIMEDOUT;
    int error = 0;
    socklen_t size = sizeof error;
    getsockopt(one->channel, SOL_SOCKET, SO_ERROR, &error, &size);
    return error;
}

static void linked(unit *one) {
    one->linked = 1;
    say("linked", one->address, "");
    // Sends a request, so that the link has to work.
    if (send(one->channel, "\x02\x17\x00", 3, MSG_NOSIGNAL) != 3) fail("send");
}

// Every unit's answer to its request: whether all links work.
static int all_answer(void) {
    int good = 0;
    for (int i = 0; i < count; i++) {
        uint8_t answer[64];
        struct pollfd wait = {.fd = units[i].channel, .events = POLLIN};
        if (units[i].linked && poll(&wait, 1, 5000) == 1 && recv(units[i].channel, answer, sizeof answer, 0) == 3 &&
            answer[0] == 0x03) good++;
        else if (units[i].linked) say("no-answer", units[i].address, "");
    }
    return good;
}

static int open_management(void) {
    struct { uint16_t family, device, channel; } here = {AF_BLUETOOTH, 0xFFFF, 3};
    int management = socket(AF_BLUETOOTH, SOCK_RAW, 1);
    if (management < 0 || bind(management, (struct sockaddr *)&here, sizeof here)) fail("management");
    return management;
}

// The addresses among the arguments from `first` on.
static void note_units(int first, int argc, char **argv) {
    for (; first < argc && count < MOST; first++, count++)
        for (int i = 0; i < 6; i++) units[count].address[5 - i] = strtol(argv[first] + 3 * i, NULL, 16);
}

static int finish(const char *way, int status, double took) {
    int good = all_answer();
    printf("{\"event\":\"done\",\"way\":\"%s\",\"units\":%d,\"answering\":%d,\"seconds\":%.2f}\n", way, count, good, took);
    return status || good != count;
}
