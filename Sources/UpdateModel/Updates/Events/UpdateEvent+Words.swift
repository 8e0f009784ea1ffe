import Bluetooth
import Bytes

extension UpdateEvent: CustomStringConvertible {
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
        case .retry(let attempt, let reason, let offset): "retry \(attempt) from \(offset): \(reason)"
        case .warning(let code, let text): "warning \(code): \(text)"
        case .detail(let detail): "\(detail)"
        }
    }
}

extension TransferSpeeds: CustomStringConvertible {
    /// All four speeds, in whole bytes per second.
    public var description: String {
        "\(words(current)), average \(words(average)), from \(words(min)) to \(words(max))"
    }
}

extension UpdateDetail: CustomStringConvertible {
    /// The detail in words, bytes in hexadecimal digits.
    public var description: String {
        switch self {
        case .linkChanged(let link): "the link has changed: \(link)"
        case .servicesDiscovered(let services):
            "services: " + services.map(\.description).joined(separator: ", ")
        case .characteristicRead(let source, let value):
            "read \(source.uuid) of \(source.service): \(HexText.encode(value))"
        case .deviceInformation(let name, let value): "\(name): \(value)"
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

/// Whole bytes per second; a rate over no time is not a number.
private func words(_ rate: Double) -> String { "\(Int(exactly: rate.rounded()).map(String.init) ?? "?") B/s" }
