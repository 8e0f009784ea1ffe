import Bluetooth
import Bytes

/// A factory image of a device with SUOTA.
public struct SUOTAFirmware: Hashable, Sendable {
    /// Its version text, at most 16 bytes.
    public var version: String
    /// The build time in Unix seconds.
    public var timestamp: UInt32
    public var payload: [UInt8]
    /// 58x: the number that tells which of two images is newer; 0x00 follows 0xFF.
    public var id: UInt8 = 1
    /// Whether its upload was finished: an interrupted upload leaves an unfinished image.
    public var isFinished = true
    /// Whether the CRC-32 in its header is correct.
    public var isIntact = true

    public init(
        version: String = "1.0.0", timestamp: UInt32 = 1_600_000_000,
        payload: [UInt8] = [UInt8](repeating: 0xA5, count: 1024)
    ) {
        (self.version, self.timestamp, self.payload) = (version, timestamp, payload)
    }

    private var checksum: UInt32 { CRC32.checksum(payload) ^ (isIntact ? 0 : 1) }

    private var versionField: [UInt8] {
        let text = Array(version.utf8.prefix(16))
        guard text.count < 16 else { return text }
        return text + [0] + [UInt8](repeating: 0xFF, count: 15 - text.count)
    }

    /// Header and payload as flash and image files of a `family` contain them (suota-image.md, Layout).
    public func stored(_ family: SUOTAPersonality.Family) -> [UInt8] {
        var writer = ByteWriter(family.signature)
        switch family {
        case .da1458x: writer.append([isFinished ? 0xAA : 0xFF, id])
        case .da1468x: writer.integer(UInt16(isFinished ? ImageHeader.validFlag : 0))
        case .da1469x: break
        }
        writer.integer(UInt32(truncatingIfNeeded: payload.count))
        writer.integer(checksum)
        writer.append(versionField)
        writer.integer(timestamp)
        switch family {
        case .da1458x: writer.append([0] + [UInt8](repeating: 0xFF, count: 31))
        case .da1468x, .da1469x: writer.integer(UInt32(family.headerSize))
        }
        return writer.bytes + payload
    }
}
