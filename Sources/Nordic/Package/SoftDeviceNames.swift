import Bytes

/// Names for the SoftDevice ids (FWIDs) of `sd_req`, from the public help text of nrfutil 6.1.7.
///
/// The table is incomplete, so an id without a name causes a note, never an error.
package enum SoftDeviceNames {
    /// The name of the SoftDevice with this id, such as `S132 4.0.2`; nil if it is not in the table.
    package static func name(of id: UInt32) -> String? { names[id] }

    /// The id and, if it is in the table, the name: `0x98 (S132 4.0.2)`.
    package static func text(of id: UInt32) -> String { id.hex + (name(of: id).map { " (\($0))" } ?? "") }

    /// The id for a name such as `s132_7.2.0`, `s132_nrf52_7.2.0` (as in nrfutil's help) or `S132 7.2.0`.
    package static func id(of name: String) -> UInt32? {
        let words = name.uppercased().split { $0 == "_" || $0 == " " }
            .filter { $0 != "NRF52" && $0 != "NRF51" }
        return ids[words.joined(separator: " ")]
    }

    /// All names in the form used in commands, `s132_7.2.0`, in order.
    package static let all = names.values.map { $0.lowercased().split(separator: " ").joined(separator: "_") }
        .sorted()

    private static let ids = Dictionary(uniqueKeysWithValues: names.map { ($1, $0) })

    private static let names: [UInt32: String] = Dictionary(
        uniqueKeysWithValues: families.flatMap { family, versions in
            versions.map { version, id in (id, "\(family) \(version)") }
        })

    private static let families: KeyValuePairs<String, KeyValuePairs<String, UInt32>> = [
        "S112": [
            "6.0.0": 0xA7, "6.1.0": 0xB0, "6.1.1": 0xB8, "7.0.0": 0xC4, "7.0.1": 0xCD, "7.2.0": 0x103,
            "7.3.0": 0x126,
        ],
        "S113": ["7.0.0": 0xC3, "7.0.1": 0xCC, "7.2.0": 0x102, "7.3.0": 0x125],
        "S122": ["8.0.0": 0xEA, "8.1.1": 0x112],
        "S130": ["1.0.0": 0x67, "2.0.0": 0x80, "2.0.1": 0x87],
        "S132": [
            "2.0.0": 0x81, "2.0.1": 0x88, "3.0.0": 0x8C, "3.1.0": 0x91, "4.0.0": 0x95, "4.0.2": 0x98,
            "4.0.3": 0x99, "4.0.4": 0x9E, "4.0.5": 0x9F, "5.0.0": 0x9D, "5.1.0": 0xA5, "6.0.0": 0xA8,
            "6.1.0": 0xAF, "6.1.1": 0xB7, "7.0.0": 0xC2, "7.0.1": 0xCB, "7.2.0": 0x101, "7.2.1": 0x117,
            "7.3.0": 0x124,
        ],
        "S140": [
            "6.0.0": 0xA9, "6.1.0": 0xAE, "6.1.1": 0xB6, "7.0.0": 0xC1, "7.0.1": 0xCA, "7.2.0": 0x100,
            "7.3.0": 0x123,
        ],
        "S212": ["6.1.1": 0xBC],
        "S332": ["6.1.1": 0xBA],
        "S340": ["6.1.1": 0xB9],
    ]
}

/// The information structure that a SoftDevice has in its own image.
///
/// It has a page of 4096 bytes for itself. On nRF52 it is at flash address 0x3000, in the third page after the master
/// boot record; older SoftDevices have it some pages higher (SDK 17.1, `nrf_sdm.h`). Offset, bytes and content:
///
///      0  4  size of the structure       8  4  flash address of the SoftDevice's end
///      4  4  51B1E5DB                   12  2  id (FWID)
package struct SoftDeviceInformation: Hashable, Sendable {
    /// The FWID that `sd_req` lists.
    package let id: UInt32

    /// Finds the structure in an image without master boot record; nil if none of the first seven pages has it.
    package init?(in image: [UInt8]) {
        for start in stride(from: 0, through: 6 * 0x1000, by: 0x1000) {
            guard start + 14 <= image.count else { return nil }
            guard image[start + 4..<start + 8] == [0xDB, 0xE5, 0xB1, 0x51] else { continue }
            id = UInt32(image[start + 12]) | UInt32(image[start + 13]) << 8
            return
        }
        return nil
    }
}

extension FixedWidthInteger where Self: UnsignedInteger {
    /// The number as messages show ids, types and checksums: `0xADAF`.
    var hex: String { HexText.number(self, uppercase: true) }
}
