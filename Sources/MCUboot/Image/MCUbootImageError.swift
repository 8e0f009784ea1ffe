package import Bytes
package import UpdateModel

package enum MCUbootImageError: Error, Equatable, Sendable {
    case notAnImage
    /// The image has format 1, from before 2017.
    case format1
    case bigEndian
    /// The header declares itself shorter than its fixed part.
    case headerSize(UInt16)
    /// The file ends within the header, the body or a TLV area.
    case truncated(ByteError)
    /// A TLV area contradicts its own lengths, or those in the header.
    case tlv(ByteError)

    /// The error for a TLV area: a truncated file, or a contradiction.
    init(_ error: ByteError) {
        self = if case .truncated = error.reason { .truncated(error) } else { .tlv(error) }
    }
}

extension MCUbootImageError {
    package var code: FailureCode {
        switch self {
        case .notAnImage: .mcubootFile.notAnImage
        case .format1: .mcubootFile.formatOne
        case .bigEndian: .mcubootFile.bigEndian
        case .headerSize: .mcubootFile.headerInvalid
        case .truncated: .file.fileTruncated
        case .tlv: .mcubootFile.tlvMalformed
        }
    }

    /// The place in the image, which in a package is the file `entry`.
    func place(in entry: String?) -> Finding.Place {
        switch self {
        case .notAnImage, .format1, .bigEndian: Finding.Place(entry: entry, offset: 0, field: "ih_magic")
        case .headerSize: Finding.Place(entry: entry, offset: 8, field: "ih_hdr_size")
        case .truncated(let error), .tlv(let error):
            Finding.Place(entry: entry, offset: error.offset, field: error.field)
        }
    }

    /// The error without its place.
    var cause: String {
        switch self {
        case .notAnImage: "is not that of an MCUboot image"
        case .format1: "is 96f3b83c: format 1, which bootloaders of 2017 and later refuse"
        case .bigEndian: "is that of a big-endian image, which no supported beacon accepts"
        case .headerSize(let size):
            "is \(size), but the fixed part of the header has \(ImageHeader.size) bytes"
        case .truncated(let error):
            if case .truncated(let needed, let available) = error.reason {
                "truncated: \(needed) bytes needed, \(available) left"
            } else {
                "truncated"
            }
        case .tlv(let error):
            switch error.reason {
            case .truncated(let needed, let available): "\(needed) bytes needed, \(available) in the area"
            case .mismatch(let expected, let found):
                "is \(HexText.number(found)), expected \(HexText.number(expected))"
            default: "is invalid"
            }
        }
    }
}

extension MCUbootImageError: CustomStringConvertible {
    package var description: String { "\(place(in: nil)): \(cause)" }
}

extension FirmwareFileError {
    init(_ error: MCUbootImageError, in entry: String? = nil) {
        let place = error.place(in: entry)
        self.init(error.code, at: place, cause: error.cause, "\(place): \(error.cause)")
    }
}
