// How the kernel connects by itself (Add Device), and with other defaults. (docs/decisions/0011)
//
//   autoconnect all SECONDS ADDRESS...    adds all, and joins each when the kernel has connected it
//   autoconnect leave SECONDS ADDRESS...  adds all, waits, and ends without removing them, as if it were killed
//   autoconnect remove 0 ADDRESS...       removes what was left
//   autoconnect wait SECONDS ADDRESS      a plain connection with so much time
//   autoconnect set 0 NUMBER VALUE...     sets defaults of the adapter: the type and value of each
//   autoconnect read 0                    reads them
//
// Lines of JSON; exit status 0 if all links were made.
#include "links.h"

enum { DISCONNECT = 0x0014, GET_CONNECTIONS = 0x0015, READ_DEFAULTS = 0x004B, SET_DEFAULTS = 0x004C, ADD_DEVICE = 0x0033, REMOVE_DEVICE = 0x0034 };
enum { COMPLETE = 1, STATUS = 2, CONNECTED = 0x000B, DISCONNECTED = 0x000C, FAILED = 0x000D };

static int management;

static unit *unit_at(const uint8_t *address) {
    for (int i = 0; i < count; i++)
        if (!memcmp(address, units[i].address, 6)) return &units[i];
    return NULL;
}

static int arrivals[MOST], arrived;

// Reads an event; returns its code, or -1. Notes who was connected.
static int next_event(uint8_t *event, double seconds) {
    struct pollfd wait = {.fd = management, .events = POLLIN};
    if (poll(&wait, 1, (int)(seconds * 1000)) != 1 || read(management, event, 1024) < 6) return -1;
    int code = event[0] | event[1] << 8;
    if (code == CONNECTED || code == DISCONNECTED || code == FAILED) {
        unit *one = unit_at(event + 6);
        say(code == CONNECTED ? "connected" : code == FAILED ? "failed" : "disconnected", event + 6, "");
        if (code == CONNECTED && one && arrived < MOST) arrivals[arrived++] = one - units;
    }
    return code;
}

// The status of a command.
static int command(uint16_t opcode, const void *bytes, int length, uint8_t *answer) {
    uint8_t packet[600] = {opcode, opcode >> 8, 0, 0, length, length >> 8}, event[1024];
    memcpy(packet + 6, bytes, length);
    if (write(management, packet, length + 6) != length + 6) fail("command");
    double end = now() + 30;
    while (now() < end) {
        int code = next_event(event, 1);
        if ((code == COMPLETE || code == STATUS) && event[6] == (opcode & 255) && event[7] == opcode >> 8) {
            if (answer) memcpy(answer, event + 9, 512);
            return event[8];
        }
    }
    return -1;
}

static void change(uint16_t opcode, const unit *one) {
    uint8_t bytes[8] = {[6] = RANDOM, [7] = 2};
    memcpy(bytes, one->address, 6);
    int status = command(opcode, bytes, opcode == ADD_DEVICE ? 8 : 7, NULL);
    char more[40];
    snprintf(more, sizeof more, ",\"status\":%d", status);
    if (status && opcode != DISCONNECT) say(opcode == ADD_DEVICE ? "not-added" : "not-removed", one->address, more);
}

static int all(double most) {
    for (int i = 0; i < count; i++) change(ADD_DEVICE, &units[i]);
    double end = now() + most;
    int left = count;
    for (int taken = 0; left && now() < end;) {
        uint8_t event[1024];
        if (taken == arrived) {
            next_event(event, 0.5);
            continue;
        }
        unit *one = &units[arrivals[taken++]];
        if (one->linked) continue;
        begin_connecting(one);
        int error = outcome(one, 1);
        if (error) {
            say_error("not-joined", one->address, error);
            close(one->channel);
            continue;
        }
        linked(one);
        change(REMOVE_DEVICE, one);
        left--;
    }
    for (int i = 0; i < count; i++)
        if (!units[i].linked) change(REMOVE_DEVICE, &units[i]);
    return left;
}

// Closes the sockets, and ends the links that the kernel keeps nevertheless.
static void leave_all(void) {
    uint8_t answer[512] = {0};
    for (int i = 0; i < count; i++)
        if (units[i].linked) close(units[i].channel);
    sleep(4);
    command(GET_CONNECTIONS, "", 0, answer);
    printf("{\"event\":\"kept\",\"links\":%d}\n", answer[0] | answer[1] << 8);
    for (int i = 0; i < count; i++) change(DISCONNECT, &units[i]);
}

static int defaults(int argc, char **argv) {
    uint8_t bytes[200];
    int length = 0;
    for (int i = 3; i + 1 < argc && length < 190; i += 2) {
        int type = strtol(argv[i], NULL, 0), value = strtol(argv[i + 1], NULL, 0);
        uint8_t entry[] = {type, type >> 8, 2, value, value >> 8};
        memcpy(bytes + length, entry, sizeof entry);
        length += sizeof entry;
    }
    printf("{\"event\":\"set\",\"status\":%d}\n", command(SET_DEFAULTS, bytes, length, NULL));
    return 0;
}

static int read_defaults(void) {
    uint8_t answer[512] = {0};
    int status = command(READ_DEFAULTS, "", 0, answer);
    printf("{\"event\":\"defaults\",\"status\":%d", status);
    for (int i = 0; i + 5 <= 160 && answer[i + 2]; i += 3 + answer[i + 2])
        printf(",\"%02x\":%d", answer[i], answer[i + 2] == 2 ? answer[i + 3] | answer[i + 4] << 8 : answer[i + 3]);
    printf("}\n");
    return status;
}

int main(int argc, char **argv) {
    if (argc < 3) return 64;
    const char *way = argv[1];
    double seconds = atof(argv[2]);
    begun = now();
    management = open_management();
    if (!strcmp(way, "set")) return defaults(argc, argv);
    if (!strcmp(way, "read")) return read_defaults();
    note_units(3, argc, argv);
    int status = 64;
    double start = now();
    if (!strcmp(way, "all")) {
        status = all(seconds);
        status = finish(way, status, now() - start);
        leave_all();
        return status;
    }
    if (!strcmp(way, "wait")) {
        begin_connecting(&units[0]);
        status = outcome(&units[0], seconds);
        if (!status) linked(&units[0]);
        else say_error("no-link", units[0].address, status);
    } else {
        uint8_t event[1024];
        for (int i = 0; i < count; i++) change(!strcmp(way, "remove") ? REMOVE_DEVICE : ADD_DEVICE, &units[i]);
        while (now() < start + seconds) next_event(event, 0.5);
        return 0;
    }
    return finish(way, status, now() - start);
}
