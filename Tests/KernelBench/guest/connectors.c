// The time to connect to many beacons, and the kernel's behaviour with each method. (docs/decisions/0011)
//
//   connectors one ADDRESS...          one after the other, in this order
//   connectors heard ADDRESS...        likewise, the last one heard first
//   connectors due MS ADDRESS...       likewise, the next advertiser first, if all advertise at this interval in milliseconds
//   connectors all ADDRESS...          sockets for all at once: the kernel connects to those it hears
//   connectors list ADDRESS...         by the controller's filter accept list, over a raw HCI socket
//   connectors absent MS ADDRESS       an absent beacon, with this send timeout (0: the kernel's)
//   connectors leave MS ADDRESS...     waits so long with the accept list, and ends without clearing it
//   connectors cancel MS ADDRESS...    likewise, and clears it
//   connectors adopt ADDRESS           has a link made by the list, and does not use it
//   connectors lose ADDRESS            keeps a link until it is lost, and sends nothing over it
//
// Lines of JSON; exit status 0 if all links were made.
#include "links.h"

enum { SOL_HCI_ = 0, HCI_FILTER_ = 2 };
enum { CLEAR = 0x2010, ADD = 0x2011, REMOVE = 0x2012, CREATE = 0x200D, EXTENDED_CREATE = 0x2043, CANCEL = 0x200E };

static int attempts_one_by_one(void) {
    for (int turn = 0; turn < 4; turn++)
        for (int i = 0; i < count; i++) {
            if (units[i].linked) continue;
            begin_connecting(&units[i]);
            int error = outcome(&units[i], 4);
            if (!error) linked(&units[i]);
            else {
                say_error("no-link", units[i].address, error);
                close(units[i].channel);
            }
        }
    return 0;
}

// Discovery and its reports.

static void manage(int management, uint16_t opcode) {
    uint8_t command[7] = {opcode, opcode >> 8, 0, 0, 1, 0, 6};  // LE public and LE random
    if (write(management, command, sizeof command) != sizeof command) fail("management");
}

// Listens until all were heard, and a little longer, so that the order is that of the last reports.
static void listen_for_all(double most) {
    int management = open_management(), missing = count;
    double end = now() + most;
    manage(management, 0x0023);
    while (missing && now() < end) {
        uint8_t event[600];
        struct pollfd wait = {.fd = management, .events = POLLIN};
        if (poll(&wait, 1, 100) != 1 || read(management, event, sizeof event) < 12 || event[0] != 0x12) continue;
        for (int i = 0; i < count; i++)
            if (!memcmp(event + 6, units[i].address, 6)) {
                missing -= units[i].heard == 0;
                units[i].heard = now();
            }
    }
    manage(management, 0x0024);
    usleep(100000);
    close(management);
    say("heard", NULL, "");
}

static double interval;
#define MARGIN 0.08

static int later(const void *one, const void *two) {
    double a = ((const unit *)one)->heard, b = ((const unit *)two)->heard;
    return a < b ? 1 : a > b ? -1 : 0;
}

static int whoever_is_due(void) {
    for (int left = count; left; left--) {
        unit *best = NULL;
        double soonest = 0;
        for (int i = 0; i < count; i++) {
            if (units[i].linked) continue;
            double wait = interval - (now() - units[i].heard) + 1e6 * interval;
            wait -= interval * (long)(wait / interval);
            // The scan takes a moment to begin.
            if (wait < MARGIN) wait += interval;
            if (!best || wait < soonest) best = &units[i], soonest = wait;
        }
        begin_connecting(best);
        int error = outcome(best, 4);
        if (error) return say_error("no-link", best->address, error), 1;
        linked(best);
    }
    return 0;
}

static int all_at_once(void) {
    for (int i = 0; i < count; i++) begin_connecting(&units[i]);
    double end = now() + 60;
    for (int left = count; left && now() < end;) {
        struct pollfd waits[MOST];
        for (int i = 0; i < count; i++)
            waits[i] = (struct pollfd){.fd = units[i].linked ? -1 : units[i].channel, .events = POLLOUT};
        if (poll(waits, count, 1000) <= 0) continue;
        for (int i = 0; i < count; i++) {
            if (!waits[i].revents) continue;
            int error = outcome(&units[i], 0);
            if (!error) linked(&units[i]), left--;
            else {
                say_error("no-link", units[i].address, error);
                close(units[i].channel);
                begin_connecting(&units[i]);
            }
        }
    }
    return 0;
}

// The controller itself.

static int hci = -1, extended;

static void open_hci(void) {
    struct { uint16_t family, device, channel; } here = {AF_BLUETOOTH, 0, 0};
    struct { uint32_t types, events[2]; uint16_t opcode; } filter = {1 << 4, {1 << 5 | 1 << 14 | 1 << 15, 1u << (62 - 32)}, 0};
    hci = socket(AF_BLUETOOTH, SOCK_RAW, 1);
    if (hci < 0 || setsockopt(hci, SOL_HCI_, HCI_FILTER_, &filter, sizeof filter) ||
        bind(hci, (struct sockaddr *)&here, sizeof here)) fail("hci");
}

// Connection Complete: its status, and who is at the other end. -1 for any other packet.
static int completion(const uint8_t *event, uint8_t *address) {
    if (event[0] != 4 || event[1] != 0x3E || (event[3] != 0x01 && event[3] != 0x0A)) return -1;
    memcpy(address, event + 9, 6);
    return event[4];
}

static uint8_t early[8][6];
static int early_count;

// The status of a command; what it returns in `answer`, from the status on.
static int command(uint16_t opcode, const void *bytes, int length, uint8_t *answer) {
    uint8_t packet[260] = {1, opcode, opcode >> 8, length}, event[260], address[6];
    memcpy(packet + 4, bytes, length);
    if (write(hci, packet, length + 4) != length + 4) fail("command");
    double end = now() + 2;
    while (now() < end) {
        struct pollfd wait = {.fd = hci, .events = POLLIN};
        if (poll(&wait, 1, 100) != 1) continue;
        int got = read(hci, event, sizeof event);
        if (got < 5) continue;
        if (completion(event, address) == 0) memcpy(early[early_count++ % 8], address, 6);
        if (event[1] == 0x0F && event[5] == (opcode & 255) && event[6] == opcode >> 8) return event[3];
        if (event[1] == 0x0E && event[4] == (opcode & 255) && event[5] == opcode >> 8) {
            if (answer) memcpy(answer, event + 6, got - 6);
            return event[6];
        }
    }
    return -1;
}

static int change_list(uint16_t opcode, const uint8_t *address) {
    uint8_t bytes[7] = {1};
    memcpy(bytes + 1, address, 6);
    return command(opcode, bytes, sizeof bytes, NULL);
}

// Scans continuously (60 ms of 60), 30 to 50 ms, and 4.2 s until a link counts as lost.
static int initiate(void) {
    static const uint8_t rest[] = {0x60, 0, 0x60, 0, 0x18, 0, 0x28, 0, 0, 0, 0xA4, 1, 0, 0, 0, 0};
    uint8_t plain[25] = {0x60, 0, 0x60, 0, 1}, wide[26] = {1, [9] = 1};
    memcpy(plain + 13, rest + 4, 12);
    memcpy(wide + 10, rest, 16);
    return extended ? command(EXTENDED_CREATE, wide, sizeof wide, NULL) : command(CREATE, plain, sizeof plain, NULL);
}

static void prepare_list(void) {
    uint8_t known[80] = {0};
    open_hci();
    command(0x1002, NULL, 0, known);
    extended = known[1 + 37] >> 7;
    // Otherwise the kernel's own entries, which it keeps while a link is open, would be connected to as well.
    int cleared = command(CLEAR, NULL, 0, NULL);
    printf("{\"event\":\"controller\",\"extended\":%d,\"cleared\":%d}\n", extended, cleared);
    if (cleared) exit(1);  // the kernel scans with it
    for (int i = 0; i < count; i++) {
        int status = change_list(ADD, units[i].address);
        if (status) printf("{\"event\":\"not-listed\",\"status\":%d}\n", status);
    }
}

// The next open link within so many seconds; NULL for none.
static unit *completed(double seconds) {
    uint8_t event[260], address[6];
    double end = now() + seconds;
    while (early_count || now() < end) {
        if (early_count) memcpy(address, early[--early_count], 6);
        else {
            struct pollfd wait = {.fd = hci, .events = POLLIN};
            if (poll(&wait, 1, 100) != 1 || read(hci, event, sizeof event) < 15) continue;
            int status = completion(event, address);
            if (status < 0) continue;
            if (status) {
                printf("{\"event\":\"completed\",\"status\":%d}\n", status);
                continue;
            }
        }
        for (int i = 0; i < count; i++)
            if (!memcmp(address, units[i].address, 6)) return &units[i];
    }
    return NULL;
}

static int by_list(void) {
    prepare_list();
    int status = initiate();
    for (int left = count; left; left--) {
        if (status) return printf("{\"event\":\"not-initiated\",\"status\":%d}\n", status), 1;
        unit *one = completed(20);
        if (!one) return say("nobody", NULL, ""), 1;
        say("completed", one->address, "");
        change_list(REMOVE, one->address);
        if (left > 1) status = initiate();
        begin_connecting(one);
        int error = outcome(one, 4);
        if (error) return say_error("not-joined", one->address, error), 1;
        linked(one);
    }
    return 0;
}

static int on_the_list(const char *way, double seconds) {
    prepare_list();
    printf("{\"event\":\"initiated\",\"status\":%d}\n", initiate());
    unit *one = completed(seconds);
    if (one) say("completed", one->address, "");
    if (!strcmp(way, "cancel")) {
        printf("{\"event\":\"cancelled\",\"status\":%d}\n", command(CANCEL, NULL, 0, NULL));
        for (int i = 0; i < count; i++)
            printf("{\"event\":\"removed\",\"status\":%d}\n", change_list(REMOVE, units[i].address));
        completed(0.5);
    }
    if (!strcmp(way, "adopt") && one) {
        change_list(REMOVE, one->address);
        uint8_t event[260];
        double end = now() + 10;
        while (now() < end) {
            struct pollfd wait = {.fd = hci, .events = POLLIN};
            if (poll(&wait, 1, 100) == 1 && read(hci, event, sizeof event) > 6 && event[1] == 0x05) {
                say("ended", one->address, "");
                break;
            }
        }
    }
    return one == NULL && !strcmp(way, "adopt");
}

// Closes its socket after the loss of a link that has carried nothing.
static int lose(void) {
    begin_connecting(&units[0]);
    int error = outcome(&units[0], 4);
    if (error) return say_error("no-link", units[0].address, error), 1;
    say("linked", units[0].address, "");
    struct pollfd wait = {.fd = units[0].channel, .events = POLLIN};
    poll(&wait, 1, 20000);
    close(units[0].channel);
    say("closed", units[0].address, "");
    return 0;
}

static int absent(int milliseconds) {
    unit *one = &units[0];
    one->channel = open_socket();
    struct timeval limit = {milliseconds / 1000, milliseconds % 1000 * 1000};
    if (milliseconds && setsockopt(one->channel, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit)) fail("timeout");
    l2cap_address there = {.family = AF_BLUETOOTH, .cid = ATT_CID, .type = RANDOM};
    memcpy(there.address, one->address, 6);
    if (connect(one->channel, (struct sockaddr *)&there, sizeof there) && errno != EINPROGRESS) fail("connect");
    say_error("ended", one->address, outcome(one, 60));
    return 0;
}

int main(int argc, char **argv) {
    if (argc < 3) return 64;
    const char *way = argv[1];
    int first = 2;
    int number = atoi(argv[2]);
    if (!strchr(argv[2], ':')) first = 3;
    interval = number / 1000.0;
    note_units(first, argc, argv);
    begun = now();
    int status = 64;
    if (!strcmp(way, "heard") || !strcmp(way, "due")) listen_for_all(10);
    double start = now();
    if (!strcmp(way, "heard")) qsort(units, count, sizeof *units, later);
    if (!strcmp(way, "one") || !strcmp(way, "heard")) status = attempts_one_by_one();
    else if (!strcmp(way, "due")) status = whoever_is_due();
    else if (!strcmp(way, "all")) status = all_at_once();
    else if (!strcmp(way, "list")) status = by_list();
    else if (!strcmp(way, "lose")) return lose();
    else if (!strcmp(way, "absent")) return absent(number);
    else if (!strcmp(way, "leave") || !strcmp(way, "cancel") || !strcmp(way, "adopt"))
        return on_the_list(way, number / 1000.0 + (strcmp(way, "adopt") ? 0 : 10));
    return finish(way, status, now() - start);
}
