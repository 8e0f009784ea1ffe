package import Bytes
package import UpdateModel

/// The first 32 bytes of a Feasycom file or an open container (fbeacon.md, Layout).
package struct FBeaconHeader: Hashable, Sendable {
    /// The kind of container, by its two marks.
    package enum Container: Hashable, Sendable {
        /// Feasycom's own: the payload is encrypted.
        case vendor
        /// The open container: everything is plain.
        case open

        var startMark: [UInt8] { self == .vendor ? [0xDD, 0x07] : [0x46, 0x42] }
        var endMark: [UInt8] { self == .vendor ? [0xE0, 0x07] : [0x55, 0x50] }
    }

    /// The fields of an open container that are zero in the vendor's header.
    package struct OpenFields: Hashable, Sendable {
        /// 1, the only known version.
        package let containerVersion: UInt8
        /// Bit 0: restore default settings after the update.
        package let flags: UInt8
        /// The CRC-32 of extension and payload.
        package let bodyCRC: UInt32
        /// In bytes.
        package let extensionLength: UInt16
        /// 0 in a valid file.
        package let reserved: UInt16
    }

    /// The length of every header, in bytes.
    package static let length = 32

    package let container: Container
    package let bytes: [UInt8]

    /// The bootloader's version; in an open container the lowest one required, 0 for any.
    package var bootloader: UInt16 { number(at: 2) }
    /// CRC-16 of the payload; in a vendor's file, of data that the file does not contain.
    package var binCRC: UInt16 { number(at: 4) }
    /// The length of the payload, in bytes.
    package var length: UInt32 { number(at: 6) }
    /// The lowest installed version that may be updated.
    package var versionStart: UInt16 { number(at: 10) }
    /// The version of the payload.
    package var versionEnd: UInt16 { number(at: 12) }
    /// The model's number; 0 for none.
    package var modelNumber: UInt16 { number(at: 14) }
    /// 1 for an application.
    package var uploadModel: UInt16 { number(at: 16) }
    /// Bytes 18 to 27.
    var tail: ArraySlice<UInt8> { bytes[18..<28] }
    /// The CRC-16 of bytes 2 to 27, as stored in the header.
    package var crc: UInt16 { number(at: 28) }
    /// The CRC-16 computed from bytes 2 to 27.
    package var computedCRC: UInt16 { CRC16.checksum(bytes[2..<28]) }
    package var crcMatches: Bool { crc == computedCRC }

    /// Bytes 18 to 27 as fields of the open container; nil in a vendor's file.
    package var openFields: OpenFields? {
        guard container == .open else { return nil }
        return OpenFields(
            containerVersion: number(at: 18), flags: number(at: 19), bodyCRC: number(at: 20),
            extensionLength: number(at: 24), reserved: number(at: 26))
    }

    var extensionLength: Int { Int(openFields?.extensionLength ?? 0) }

    private func number<Number: FixedWidthInteger & UnsignedInteger>(at offset: Int) -> Number {
        bytes[offset..<offset + Number.bitWidth / 8].reversed().reduce(0) { $0 << 8 | Number($1) }
    }
}

extension FBeaconHeader {
    /// The header of a file; nil unless the file has both marks, and at least one byte after the header.
    init?(of file: [UInt8]) {
        let container = [Container.vendor, .open].first {
            file.starts(with: $0.startMark) && file.dropFirst(30).starts(with: $0.endMark)
        }
        guard file.count > Self.length, let container else { return nil }
        self.init(container: container, bytes: Array(file.prefix(Self.length)))
    }

    /// The header of an open container with these bytes 2 to 27.
    init(openWith fields: [UInt8]) {
        var writer = ByteWriter(Container.open.startMark)
        writer.append(fields)
        writer.integer(CRC16.checksum(fields))
        writer.append(Container.open.endMark)
        self.init(container: .open, bytes: writer.bytes)
    }
}

package enum FBeaconFileError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The file lacks one of the two marks, or has nothing after the header.
    case notFBeacon
    /// The header is damaged, so its fields cannot be used.
    case headerCRC(expected: UInt16, found: UInt16)
    case containerVersion(UInt8)
    case bytes(ByteError)

    package var code: FailureCode { facts.code }
    /// Bytes from the start of the file to the error.
    package var offset: Int { facts.offset }
    package var description: String { facts.description }

    private var facts: (code: FailureCode, offset: Int, description: String) {
        switch self {
        case .notFBeacon:
            let words = "the file does not have the marks of a Feasycom file, or has nothing after its header"
            return (.fbeacon.notFBeacon, 0, words)
        case .headerCRC(let expected, let found):
            let words =
                "Feasycom file: header CRC at offset 28: is \(String(found, radix: 16)), "
                + "but the header gives \(String(expected, radix: 16))"
            return (.file.headerCRCMismatch, 28, words)
        case .containerVersion(let version):
            let words = "open container: containerVersion at offset 18: \(version) is not 1"
            return (.file.unsupportedContainerVersion, 18, words)
        case .bytes(let error): return (.file.fileTruncated, error.offset, "Feasycom file: \(error)")
        }
    }
}

/// Feasycom's number of a model: in files, in advertisements, and in the reply to an update request.
///
/// Beacons and modules are numbered in two tables that overlap, so a number may have two names (fbeacon.md, Layout).
package struct ModelNumber: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package var beacon: String? { Self.beacons[rawValue] }
    package var module: String? { Self.modules[rawValue] }
    /// The number's names: of the beacon first, then of the module.
    package var names: [String] { [beacon, module].compactMap(\.self) }

    /// The number of the model `name`; nil if neither table has it. No two models have the same name.
    package static func named(_ name: String) -> ModelNumber? {
        let table = beacons.values.contains(name) ? beacons : modules
        return table.first { $0.value == name }.map { ModelNumber(rawValue: $0.key) }
    }

    package static let allNames = Set(beacons.values).union(modules.values).sorted()

    private static let beacons: [UInt16: String] = [
        21: "BP102", 25: "BP109", 26: "BP103", 27: "BP104", 28: "BP201", 29: "BP106", 30: "BP101",
        31: "BP671", 36: "BP120", 39: "BP108", 40: "BP108N", 41: "BP103B",
    ]

    private static let modules: [UInt16: String] = [
        1: "BT401", 2: "BT405", 3: "BT426N", 4: "BT501", 5: "BT502", 6: "BT522", 7: "BT616", 8: "BT625",
        9: "BT626", 10: "BT803", 11: "BT813D", 12: "BT816S", 13: "BT821", 14: "BT822", 15: "BT826",
        16: "BT826N", 17: "BT836", 18: "BT836N", 19: "BT906", 20: "BT909", 22: "BT816S3", 23: "BT926",
        24: "BT901", 32: "BT826H", 33: "BT826NH", 34: "BT826E", 35: "BT826EH", 36: "BT836B", 37: "BT826B",
        38: "BT736", 39: "BT926B", 40: "BT966", 41: "BT721B", 42: "BT886", 47: "BT826A", 48: "BT826BA",
        49: "BT986", 50: "BT826F", 51: "BT946", 53: "BT618", 55: "BT671B-BG21", 57: "BT986-1",
        58: "BT826F-1", 60: "BT946-1",
    ]
}
