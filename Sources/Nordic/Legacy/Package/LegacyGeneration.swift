/// The extension of a Legacy init packet, by the version that nrfutil's `--dfu-ver` takes.
///
/// This is the packet's number, not that of the bootloader's DFU Version characteristic (nordic-legacy.md, Layout).
public enum LegacyGeneration: String, CaseIterable, Sendable {
    /// A CRC16 of the image without an extension id: read by the template of nRF5 SDK 7 to 11.
    case crc16 = "0.5"
    /// Extension 0: a CRC16 of the image.
    case extendedCRC16 = "0.6"
    /// Extension 1: length and SHA-256 of the image.
    case hash = "0.7"
    /// Extension 2: length and SHA-256 of the image, and a signature.
    case signedHash = "0.8"

    /// The number in a manifest's `dfu_version`.
    public var dfuVersion: Double {
        switch self {
        case .crc16: 0.5
        case .extendedCRC16: 0.6
        case .hash: 0.7
        case .signedHash: 0.8
        }
    }

    /// The id at the start of the extension; nil if it has none.
    public var extensionID: UInt32? {
        switch self {
        case .crc16: nil
        case .extendedCRC16: 0
        case .hash: 1
        case .signedHash: 2
        }
    }

    /// The generation for a packager's `dfuVersion`; nil for a number that none of them uses.
    init?(dfuVersion: Double) {
        // nrfutil treats everything up to 0.5 alike (adafruit-nrfutil, `package.py`).
        if (0...0.5).contains(dfuVersion) {
            self = .crc16
        } else if let known = Self.allCases.first(where: { $0.dfuVersion == dfuVersion }) {
            self = known
        } else {
            return nil
        }
    }
}
