import Bytes

/// The header of a SUOTA image (suota-image.md, Layout).
public struct SUOTAHeader: Hashable, Sendable {
    package enum Particulars: Hashable, Sendable {
        /// Valid flag, image id, flags (bit 0: encrypted), and 31 reserved bytes.
        case da1458x(validFlag: UInt8, imageID: UInt8, flags: UInt8, reserved: [UInt8])
        /// Flags (bit 0 force CRC, 1 valid, 2 and 3 retries) and the payload's offset in the file.
        case da1468x(flags: UInt16, execLocation: UInt32)
        /// The payload's offset in the file; the payload starts with its vector table.
        case da1469x(vectorTable: UInt32)
    }

    package let codeSize: UInt32
    /// The CRC-32 of the payload; if that is encrypted, of its plaintext.
    package let crc: UInt32
    package let version: ImageVersion
    /// Build time, in seconds since 1970 in UTC.
    package let timestamp: UInt32
    package let particulars: Particulars

    package var family: HeaderFamily {
        switch particulars {
        case .da1458x: .da1458x
        case .da1468x: .da1468x
        case .da1469x: .da1469x
        }
    }

    package var payloadOffset: Int {
        switch particulars {
        case .da1458x: HeaderFamily.da1458x.headerBytes
        case .da1468x(_, let location), .da1469x(let location): Int(location)
        }
    }

    /// Whether the payload is encrypted; only DA1458x headers have a flag for that.
    package var isEncrypted: Bool {
        if case .da1458x(_, _, let flags, _) = particulars { flags & 1 != 0 } else { false }
    }
}

extension SUOTAHeader {
    init(_ family: HeaderFamily, parsing reader: inout ByteReader) throws(ByteError) {
        _ = try reader.bytes("signature", 2)
        var (validFlag, imageID, flags): (UInt8, UInt8, UInt16) = (0, 0, 0)
        switch family {
        case .da1458x:
            validFlag = try reader.integer("valid flag")
            imageID = try reader.integer("image id")
        case .da1468x: flags = try reader.integer("flags")
        case .da1469x: break
        }
        codeSize = try reader.integer("code size")
        crc = try reader.integer("CRC-32")
        version = try ImageVersion(parsing: &reader)
        timestamp = try reader.integer("timestamp")
        switch family {
        case .da1458x:
            particulars = .da1458x(
                validFlag: validFlag, imageID: imageID, flags: try reader.integer("flags"),
                reserved: Array(try reader.bytes("reserved", 31)))
        case .da1468x: particulars = .da1468x(flags: flags, execLocation: try reader.integer("exec location"))
        case .da1469x: particulars = .da1469x(vectorTable: try reader.integer("pointer to the vector table"))
        }
    }

    package var bytes: [UInt8] {
        // The fields that all three headers have, in the same order.
        let common = codeSize.bytes() + crc.bytes() + version.bytes + timestamp.bytes()
        return switch particulars {
        case .da1458x(let validFlag, let imageID, let flags, let reserved):
            family.signature + [validFlag, imageID] + common + [flags] + reserved
        case .da1468x(let flags, let execLocation):
            family.signature + flags.bytes() + common + execLocation.bytes()
        case .da1469x(let vectorTable): family.signature + common + vectorTable.bytes()
        }
    }
}
