// The data of ICU, with nothing in it: 34 MB of the world's calendars and languages, which Foundation would bring along and
// which this program never asks for. A linker takes the real ones out of Foundation's archive only where nobody has defined
// the symbol before. ICU finds no locale in it and goes on with its built-in root.
#include "no_locale_data.h"
#include <stdint.h>

// ICU's common data: offset, width: 0 2 length of the header, 2 2 magic, 4 20 UDataInfo, 32 4 number of entries.
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
