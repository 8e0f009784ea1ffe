public import Bluetooth
import Bytes

/// An event for observers of an update. Facts only: no percentages, wording or widgets.
///
/// The order: phases and a connection, then progress. No event reports the end: that is the result of the update.
public enum UpdateEvent: Equatable, Sendable, CustomStringConvertible {
    case phase(UpdatePhase)
    /// A part begins; only in updates of several parts, and for the first part as well.
    case part(UpdatePart)
    case connected(DeviceAddress, LinkDescription)
    case disconnected(DeviceAddress)
    /// Firmware is sent from `offset` in bytes, because the device may already have data of an earlier attempt.
    case resumed(offset: Int)
    /// `sent` of `total` bytes of firmware were sent; the rate is that of the last second.
    case progress(sent: Int, total: Int, bytesPerSecond: Double)
    /// Speeds after a block.
    case speed(TransferSpeeds)
    /// Speeds of accepted bytes at fixed moments while firmware is under way (`SteadySpeeds`); `current` is the speed
    /// since the previous moment.
    case steadySpeed(TransferSpeeds)
    /// Accepted bytes in the last second, once a second.
    case currentSpeed(Double)
    /// Something is repeated, from this offset in bytes (``UpdateNotice/retry(reason:from:link:)``); `attempt` counts all
    /// repetitions from 1.
    case retry(attempt: Int, reason: FailureCode, from: Int, link: Int? = nil)
    /// A problem that does not stop the update.
    case warning(FailureCode, String)
    case detail(UpdateDetail)

    /// The event as a log line, bytes in hexadecimal digits.
    public var description: String {
        switch self {
        case .phase(let phase): "phase \(phase.rawValue)"
        case .part(let part): "\(part)"
        case .connected(let device, let link): "connected to \(device), \(link)"
        case .disconnected(let device): "disconnected from \(device)"
        case .resumed(let offset): "resumed at \(offset)"
        case .progress(let sent, let total, let rate): "sent \(sent) of \(total) bytes, \(words(rate))"
        case .speed(let speeds): "speed: \(speeds)"
        case .steadySpeed(let speeds): "steady speed: \(speeds)"
        case .currentSpeed(let rate): "current speed \(words(rate))"
        case .retry(let attempt, let reason, let offset, nil): "retry \(attempt) from \(offset): \(reason)"
        case .retry(let attempt, let reason, _, _): "retry \(attempt): \(reason)"
        case .warning(let code, let text): "warning \(code): \(text)"
        case .detail(let detail): "\(detail)"
        }
    }
}

public struct LinkDescription: Equatable, Sendable, CustomStringConvertible {
    /// The largest attribute packet, in bytes.
    public let mtu: Int
    /// Time between two connection events; nil if the adapter does not report it.
    public let interval: Duration?
    /// The modulation, `1M`, `2M` or `coded`; nil if the adapter does not report it.
    public let phy: String?

    public init(mtu: Int, interval: Duration? = nil, phy: String? = nil) {
        (self.mtu, self.interval, self.phy) = (mtu, interval, phy)
    }

    public var description: String {
        var text = "MTU \(mtu)"
        if let interval { text += ", interval \(interval / .milliseconds(1)) ms" }
        if let phy { text += ", \(phy) PHY" }
        return text
    }
}

extension TransferSpeeds: CustomStringConvertible {
    /// All four speeds, in whole bytes per second.
    public var description: String {
        "\(words(current)), average \(words(average)), from \(words(min)) to \(words(max))"
    }
}

extension UpdateDetail: CustomStringConvertible {
    public var description: String {
        switch self {
        case .linkChanged(let link): "the link has changed: \(link)"
        case .sentFromFirstByte(let offset): "firmware is sent from its first byte, at \(offset)"
        case .servicesDiscovered(let services):
            "services: " + services.map(\.description).joined(separator: ", ")
        case .characteristicRead(let source, let value):
            "read \(source.uuid) of \(source.service): \(HexText.encode(value))"
        case .deviceInformation(let name, let value): "\(name): \(value)"
        case .versionBefore(let version): "before the update: version \(version)"
        case .deviceInformationRead(let isPresent):
            isPresent ? "Device Information read" : "no Device Information"
        case .ready: "everything that the beacon offers was read"
        case .log(let state, let kind, let text): "\(state), \(kind.rawValue): \(text)"
        case .chunk(let place):
            "chunk \(place.chunk) of \(place.chunks), \(place.chunkOfBlock) of \(place.chunksPerBlock) in block "
                + "\(place.block) of \(place.blocks)"
        case .block(let number, let count): "block \(number) of \(count)"
        case .verified(let seconds, let uploadSeconds):
            "image verified" + (seconds.map { " after \($0) s" } ?? "")
                + (uploadSeconds.map { ", uploaded in \($0) s" } ?? "")
        case .settingsCompared(let comparison): "\(comparison)"
        case .rebootSent: "reboot sent"
        }
    }
}

/// The rate in whole bytes per second; `?` for a rate over no time, which is not a number.
private func words(_ rate: Double) -> String { "\(Int(exactly: rate.rounded()).map(String.init) ?? "?") B/s" }
