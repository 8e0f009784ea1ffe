/// Which extension an init packet of Legacy DFU has, by the version that nrfutil's `--dfu-ver` gives it.
///
/// The number is that of the packet, not that of the bootloader's DFU Version characteristic (nordic-legacy.md,
/// Layout).
public enum LegacyGeneration: String, CaseIterable, Sendable {
    /// A CRC16 of the image, and nothing before it: what the template of nRF5 SDK 7 to 11 reads.
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

    /// The number that begins the extension; nil where the extension has none.
    public var extensionID: UInt32? {
        switch self {
        case .crc16: nil
        case .extendedCRC16: 0
        case .hash: 1
        case .signedHash: 2
        }
    }

    /// The generation that a packager means by `dfuVersion`; nil for a number that none of them uses.
    init?(dfuVersion: Double) {
        // nrfutil takes everything up to 0.5 for the same (adafruit-nrfutil, `package.py`).
        if (0...0.5).contains(dfuVersion) {
            self = .crc16
        } else if let known = Self.allCases.first(where: { $0.dfuVersion == dfuVersion }) {
            self = known
        } else {
            return nil
        }
    }
}
