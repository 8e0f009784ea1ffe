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
