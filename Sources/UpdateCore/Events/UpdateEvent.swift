public import BluetoothTypes
import FirmwareModel
public import Sessions

/// What an observer of an update sees. Facts only: no percentages, no wording, no widgets.
///
/// The order: phases and a connection, then progress; `finished` or `failed` comes once and last, from
/// whoever runs the update.
public enum UpdateEvent: Equatable, Sendable {
    /// A phase begins.
    case phase(UpdatePhase)
    /// A part begins, of an update that has several: at first, and again when it is the next one's turn.
    case part(UpdatePart)
    /// A link stands.
    case connected(DeviceAddress, LinkDescription)
    /// That link is gone, by whichever side.
    case disconnected(DeviceAddress)
    /// Firmware is sent from `offset` on because the device holds something already.
    case resumed(offset: Int)
    /// So much of the firmware has been sent; the rate is that of the last second.
    case progress(sent: Int, total: Int, bytesPerSecond: Double)
    /// Speeds after a block.
    case speed(TransferSpeeds)
    /// Speeds of accepted bytes at fixed moments while firmware is under way (`SteadySpeeds`): `current` is that since the
    /// last time.
    case steadySpeed(TransferSpeeds)
    /// Accepted bytes in the last second, once a second.
    case currentSpeed(Double)
    /// Something is done again; `attempt` counts all repetitions of the run from 1.
    case retry(attempt: Int, reason: FailureCode, from: Int)
    /// Something to know that stops nothing.
    case warning(FailureCode, String)
    /// What only some observers want to know.
    case detail(UpdateDetail)
}

/// A link as an observer sees it.
public struct LinkDescription: Equatable, Sendable {
    /// The MTU that both ends agreed on.
    public let mtu: Int
    /// Time between two connection events; nil when the adapter does not tell.
    public let interval: Duration?
    /// The modulation, `1M`, `2M` or `coded`; nil when the adapter does not tell.
    public let phy: String?

    /// A link as described.
    public init(mtu: Int, interval: Duration? = nil, phy: String? = nil) {
        self.mtu = mtu
        self.interval = interval
        self.phy = phy
    }
}

extension LinkDescription: CustomStringConvertible {
    /// What is known of the link, in a line.
    public var description: String {
        var text = "MTU \(mtu)"
        if let interval { text += ", interval \(interval / .milliseconds(1)) ms" }
        if let phy { text += ", \(phy) PHY" }
        return text
    }
}

/// How far the result of an update could be checked.
public enum Verification: String, Sendable {
    /// The device runs the new version, by its own words.
    case version
    /// The device came back in its application after it had confirmed the image, or with another version than
    /// before in words that cannot be held against the promised one.
    case reappeared
    /// It could not be checked.
    case no
}

/// An update that has ended well.
public struct UpdateReport: Equatable, Sendable {
    /// Firmware bytes.
    public let bytes: Int
    /// From the first attempt to connect to the end.
    public let seconds: Double
    /// From the first firmware byte to the last answer.
    public let transferSeconds: Double
    /// `bytes` in `transferSeconds`; what had been there before is not counted.
    public let averageBytesPerSecond: Double
    /// How often something was done again.
    public let retries: Int
    /// How far the result was checked.
    public let verified: Verification
    /// What set the speed.
    public let limitedBy: SpeedLimit
    /// What the application calls itself now; nil when it does not say, or was not asked.
    public let revision: String?
    /// The characteristic that says so; nil with `revision`.
    public let revisionSource: BluetoothUUID?
    /// What the same characteristic said before the update; nil when it said nothing, or was not asked.
    public let revisionBefore: String?
    /// Firmware bytes that were sent more than once.
    public let repeatedBytes: Int

    /// A report with the given content.
    public init(
        bytes: Int, seconds: Double, transferSeconds: Double, averageBytesPerSecond: Double, retries: Int,
        verified: Verification, limitedBy: SpeedLimit, revision: String? = nil,
        revisionSource: BluetoothUUID? = nil, revisionBefore: String? = nil,
        repeatedBytes: Int = 0
    ) {
        self.bytes = bytes
        self.seconds = seconds
        self.transferSeconds = transferSeconds
        self.averageBytesPerSecond = averageBytesPerSecond
        self.retries = retries
        self.verified = verified
        self.limitedBy = limitedBy
        self.revision = revision
        self.revisionSource = revisionSource
        self.revisionBefore = revisionBefore
        self.repeatedBytes = repeatedBytes
    }
}
