// Replaces ICU's data with an empty set: Foundation would link 34 MB of calendars and languages, which this program
// never uses. A linker takes the real data from Foundation's archive only if the symbol is not already defined. ICU
// finds no locale in the empty set, and uses its built-in root.
#include "no_locale_data.h"
#include <stdint.h>

// ICU's common data; offset, width, field: 0 2 length of the header, 2 2 magic, 4 20 UDataInfo, 32 4 number of entries.
struct common_data {
    uint16_t header, magic, info, reserved;
    uint8_t big_endian, charset, char_size, reserved_too, format[4], format_version[4], data_version[4];
    uint32_t padding[2], entries;
};

// Named after the version of ICU in the toolchain's Foundation: 74 in Swift 6.0, 76 in 6.3.
#define NOTHING(version)                                                                                                       \
    const struct common_data icudt##version##_dat __attribute__((aligned(16))) = {                                             \
        .header = 32, .magic = 0x27da, .info = 20, .char_size = 2, .format = "CmnD", .format_version = {1}};

NOTHING(74) NOTHING(75) NOTHING(76) NOTHING(77) NOTHING(78) NOTHING(79) NOTHING(80)
