import Bluetooth
import Bytes
import Firmware
package import Tray
package import UpdateModel

/// The output for an event. Renderers do not print, so that tests can compare strings.
package enum Rendering: Equatable, Sendable {
    /// A line that stays.
    case line(String)
    /// A line that the next one replaces.
    case bar(String)
    case json(JSONLine)
    case event(RunEvent)
}

extension UpdatePhase {
    /// The phase in words, as a list of several units shows it.
    package var words: String {
        switch self {
        case .connecting: "connecting"
        case .enteringBootloader: "entering the bootloader"
        case .preparing: "preparing"
        case .transferring: "transferring"
        case .activating: "checking the image"
        case .rebooting: "restarting"
        case .verifying: "verifying the update"
        }
    }
}

/// Events as JSON objects (docs/json.md).
package struct JSONEvents: Sendable {
    /// The part being sent; nil if there is only one.
    private var part: UpdatePart?

    package init() {}

    package mutating func render(_ event: UpdateEvent, at moment: Duration = .zero) -> [Rendering] {
        if case .part(let part) = event { self.part = part }
        if let event = RunEvent(event, part: part) { return [.event(event)] }
        return line(event).map { [.json($0)] } ?? []
    }

    /// The line of an event that `RunEvent` does not have.
    private func line(_ event: UpdateEvent) -> JSONLine? {
        switch event {
        case .speed(let speeds): JSONLine("speed", members(speeds))
        case .steadySpeed(let speeds): JSONLine("steady-speed", members(speeds))
        case .currentSpeed(let rate): JSONLine("current-speed", ["bytes_per_second": .rounded(rate)])
        case .detail(let detail): line(detail)
        default: nil
        }
    }

    private func members(_ speeds: TransferSpeeds) -> [String: JSONValue] {
        [
            "current": .rounded(speeds.current), "max": .rounded(speeds.max), "min": .rounded(speeds.min),
            "average": .rounded(speeds.average),
        ]
    }

    /// The percentage, rounded down, so that it is 100 only once everything has arrived.
    private func percent(_ part: Int, of whole: Int) -> JSONValue {
        .integer(whole > 0 ? part * 100 / whole : 100)
    }

    private func line(_ detail: UpdateDetail) -> JSONLine? {
        switch detail {
        case .linkChanged, .sentFromFirstByte, .versionBefore: nil
        case .servicesDiscovered(let services):
            JSONLine("services-discovered", ["services": .list(services.map { .text($0.description) })])
        case .characteristicRead(let source, let value):
            JSONLine("characteristic-read").adding([
                "service": .text(source.service.description),
                "characteristic": .text(source.uuid.description), "group": .text(group(of: source)),
                "value": .text(HexText.encode(value)),
            ])
        case .deviceInformationRead(let isPresent):
            JSONLine("device-information-read", ["found": .bool(isPresent)])
        case .settingsCompared(let comparison): JSONLine("settings-compared", comparison.members)
        case .verified(let seconds, let uploadSeconds):
            JSONLine("image-verified").adding([
                "seconds": .rounded(seconds), "upload_seconds": .rounded(uploadSeconds),
            ])
        case .deviceInformation(let name, let value):
            JSONLine("device-information", ["name": .text(name), "value": .text(value)])
        case .ready: JSONLine("device-ready", [:])
        case .log(let state, let kind, let text):
            JSONLine("log", ["state": .text(state), "kind": .text(kind.rawValue), "text": .text(text)])
        case .chunk(let place):
            JSONLine("chunk").adding([
                "chunk": .integer(place.chunk), "chunks": .integer(place.chunks),
                "chunk_of_block": .integer(place.chunkOfBlock),
                "chunks_per_block": .integer(place.chunksPerBlock), "block": .integer(place.block),
                "blocks": .integer(place.blocks),
            ])
        case .block(let number, let count):
            JSONLine("block").adding([
                "block": .integer(number), "blocks": .integer(count), "percent": percent(number, of: count),
            ])
        case .rebootSent: JSONLine("reboot-sent", [:])
        }
    }

    private func group(of source: Characteristic) -> String {
        if source.service == BluetoothUUID(0x180A) { return "device-information" }
        return KnownVendors.isUpdateService(source.service) ? "update" : "other"
    }
}
