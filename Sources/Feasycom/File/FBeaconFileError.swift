public import Bytes

/// Why a file cannot be parsed as a Feasycom file or an open container.
public enum FBeaconFileError: Error, Equatable, Sendable {
    /// It lacks the two marks, or has nothing after the header.
    case notFBeacon
    /// The header is damaged, so its fields cannot be used.
    case headerCRC(expected: UInt16, found: UInt16)
    /// The open container is of another version.
    case containerVersion(UInt8)
    /// The file ends inside a field.
    case bytes(ByteError)

    /// A stable name in kebab-case for scripts and for `explain`.
    public var code: String {
        switch self {
        case .notFBeacon: "not-fbeacon"
        case .headerCRC: "header-crc-mismatch"
        case .containerVersion: "unsupported-container-version"
        case .bytes: "file-truncated"
        }
    }

    /// Bytes from the start of the file to the error.
    public var offset: Int {
        switch self {
        case .notFBeacon: 0
        case .headerCRC: 28
        case .containerVersion: 18
        case .bytes(let error): error.offset
        }
    }
}

extension FBeaconFileError: CustomStringConvertible {
    /// One line for people: the field, its offset and the error.
    public var description: String {
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
