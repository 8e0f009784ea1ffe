public import Bluetooth

/// How the result of an update was verified.
public enum Verification: String, Sendable {
    /// The device reports the new version.
    case version
    /// The device came back in its application after it had confirmed the image, or with a changed version text that
    /// cannot be compared with the expected version.
    case reappeared
    /// The result could not be verified.
    case no
}

/// The report of a successful update.
public struct UpdateReport: Equatable, Sendable {
    public let bytes: Int
    /// From the first attempt to connect to the end, in seconds.
    public let seconds: Double
    /// From the first firmware byte to the last response, in seconds.
    public let transferSeconds: Double
    /// Bytes sent for the first time, per second of `transferSeconds`; repeated bytes do not count.
    public let averageBytesPerSecond: Double
    public let retries: Int
    public let verified: Verification
    public let limitedBy: SpeedLimit
    /// The application's version text; nil if it has none or was not asked.
    public let revision: String?
    /// The characteristic with the text; nil with `revision`.
    public let revisionSource: BluetoothUUID?
    /// The text of the same characteristic before the update; nil if there was none or it was not read.
    public let revisionBefore: String?
    /// The hash by which the device identifies the running image; nil if it reports none.
    public let imageHash: [UInt8]?
    /// Firmware bytes that were sent more than once.
    public let repeatedBytes: Int
    /// Whether the device stays in its bootloader: it has a new SoftDevice or bootloader, and no application that it
    /// can start.
    public let hasNoApplication: Bool

    public init(
        bytes: Int, seconds: Double, transferSeconds: Double, averageBytesPerSecond: Double, retries: Int,
        verified: Verification, limitedBy: SpeedLimit, revision: String? = nil,
        revisionSource: BluetoothUUID? = nil, revisionBefore: String? = nil,
        imageHash: [UInt8]? = nil, repeatedBytes: Int = 0, hasNoApplication: Bool = false
    ) {
        (self.bytes, self.seconds) = (bytes, seconds)
        (self.transferSeconds, self.averageBytesPerSecond) = (transferSeconds, averageBytesPerSecond)
        (self.retries, self.verified) = (retries, verified)
        (self.limitedBy, self.revision) = (limitedBy, revision)
        (self.revisionSource, self.revisionBefore) = (revisionSource, revisionBefore)
        (self.imageHash, self.repeatedBytes) = (imageHash, repeatedBytes)
        self.hasNoApplication = hasNoApplication
    }
}
