public import Bytes

/// Why a file cannot be read as a SUOTA image.
public enum SUOTAImageError: Error, Equatable, Sendable {
    /// The file starts with none of the three signatures.
    case unknownSignature
    /// The file ends inside a field.
    case bytes(ByteError)
    /// The field at `offset` places the payload at `found`, inside the header of `minimum` bytes.
    case payloadInsideHeader(field: String, offset: Int, found: Int, minimum: Int)

    /// A stable name in kebab-case for scripts and for `explain`.
    public var code: String {
        switch self {
        case .unknownSignature: "not-suota"
        case .bytes: "file-truncated"
        case .payloadInsideHeader: "payload-offset-invalid"
        }
    }

    /// Offset of the error from the start of the file.
    public var offset: Int {
        switch self {
        case .unknownSignature: 0
        case .bytes(let error): error.offset
        case .payloadInsideHeader(_, let offset, _, _): offset
        }
    }
}

extension SUOTAImageError: CustomStringConvertible {
    /// One line for people: the field, its offset and the error.
    public var description: String {
        switch self {
        case .unknownSignature: "the file does not begin like a SUOTA image"
        case .bytes(let error): "SUOTA image: \(error)"
        case .payloadInsideHeader(let field, let offset, let found, let minimum):
            "SUOTA image: \(field) at offset \(offset): places the payload at \(found), "
                + "inside the header of \(minimum) bytes"
        }
    }
}
