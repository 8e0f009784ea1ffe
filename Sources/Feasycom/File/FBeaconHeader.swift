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
        /// 1.
        package let containerVersion: UInt8
        /// Bit 0: restore default settings after the update.
        package let flags: UInt8
        /// The CRC-32 of extension and payload.
        package let bodyCRC: UInt32
        package let extensionLength: UInt16
        /// 0.
        package let reserved: UInt16
    }

    /// The length of every header, in bytes.
    package static let length = 32

    package let container: Container
    /// The bootloader's version; in an open container the lowest one required, 0 for any.
    package let bootloader: UInt16
    /// CRC-16 of the payload; in a vendor's file, of data outside the file.
    package let binCRC: UInt16
    /// Bytes of the payload.
    package let length: UInt32
    package let versionStart: UInt16
    package let versionEnd: UInt16
    /// The model's number; 0 for none.
    package let modelNumber: UInt16
    /// 1 for an application.
    package let uploadModel: UInt16
    /// Bytes 18 to 27.
    package let tail: [UInt8]
    /// The CRC-16 of bytes 2 to 27, as stored in the header.
    package internal(set) var crc: UInt16

    /// Bytes 18 to 27 as fields of the open container.
    package var openFields: OpenFields? {
        guard container == .open else { return nil }
        var reader = ByteReader(tail)
        return try? OpenFields(parsing: &reader)
    }

    /// The CRC-16 computed from bytes 2 to 27.
    package var computedCRC: UInt16 { CRC16.checksum(covered) }
    package var crcMatches: Bool { crc == computedCRC }

    var extensionLength: Int { Int(openFields?.extensionLength ?? 0) }
}

extension FBeaconHeader {
    /// Recognises the two marks; nil for other bytes.
    static func container(of bytes: [UInt8]) -> Container? {
        guard bytes.count > length else { return nil }
        return [Container.vendor, .open].first {
            bytes.starts(with: $0.startMark) && bytes[30..<32].elementsEqual($0.endMark)
        }
    }

    init(_ container: Container, parsing reader: inout ByteReader) throws(ByteError) {
        self.container = container
        _ = try reader.bytes("start mark", 2)
        bootloader = try reader.integer("bootloader")
        binCRC = try reader.integer("binCrc")
        length = try reader.integer("length")
        versionStart = try reader.integer("versionStart")
        versionEnd = try reader.integer("versionEnd")
        modelNumber = try reader.integer("modelTypeNum")
        uploadModel = try reader.integer("uploadModel")
        tail = Array(try reader.bytes("bytes 18 to 27", 10))
        crc = try reader.integer("header CRC")
        _ = try reader.bytes("end mark", 2)
    }

    package var bytes: [UInt8] {
        var writer = ByteWriter(container.startMark)
        writer.append(covered)
        writer.integer(crc)
        writer.append(container.endMark)
        return writer.bytes
    }

    /// The bytes that the CRC covers.
    private var covered: [UInt8] {
        var writer = ByteWriter()
        writer.integer(bootloader)
        writer.integer(binCRC)
        writer.integer(length)
        writer.integer(versionStart)
        writer.integer(versionEnd)
        writer.integer(modelNumber)
        writer.integer(uploadModel)
        writer.append(tail)
        return writer.bytes
    }
}

extension FBeaconHeader.OpenFields {
    init(parsing reader: inout ByteReader) throws(ByteError) {
        containerVersion = try reader.integer("containerVersion")
        flags = try reader.integer("flags")
        bodyCRC = try reader.integer("bodyCrc32")
        extensionLength = try reader.integer("extLength")
        reserved = try reader.integer("reserved")
    }
}

/// Why a file cannot be parsed as a Feasycom file or an open container.
package enum FBeaconFileError: Error, Equatable, Sendable, CustomStringConvertible {
    /// It lacks the two marks, or has nothing after the header.
    case notFBeacon
    /// The header is damaged, so its fields cannot be used.
    case headerCRC(expected: UInt16, found: UInt16)
    case containerVersion(UInt8)
    case bytes(ByteError)

    package var code: FailureCode {
        switch self {
        case .notFBeacon: .fbeacon.notFBeacon
        case .headerCRC: .file.headerCRCMismatch
        case .containerVersion: .file.unsupportedContainerVersion
        case .bytes: .file.fileTruncated
        }
    }

    /// Bytes from the start of the file to the error.
    package var offset: Int {
        switch self {
        case .notFBeacon: 0
        case .headerCRC: 28
        case .containerVersion: 18
        case .bytes(let error): error.offset
        }
    }

    package var description: String {
        switch self {
        case .notFBeacon:
            "the file does not have the marks of a Feasycom file, or has nothing after its header"
        case .headerCRC(let expected, let found):
            "Feasycom file: header CRC at offset 28: is \(String(found, radix: 16)), "
                + "but the header gives \(String(expected, radix: 16))"
        case .containerVersion(let version):
            "open container: containerVersion at offset 18: \(version) is not 1"
        case .bytes(let error): "Feasycom file: \(error)"
        }
    }
}
