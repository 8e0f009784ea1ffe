import BluetoothTypes
import UpdateCore

/// Events as the members that scripts rely on.
struct JSONEvents: ProgressRenderer {
    mutating func render(_ event: UpdateEvent) -> [Rendering] { [.json(line(event))] }

    private func line(_ event: UpdateEvent) -> JSONLine {
        switch event {
        case .phase(let phase): JSONLine("phase", ["name": .text(phase.rawValue)])
        case .connected(let address, let link):
            JSONLine(
                "connected",
                [
                    "device": .text(address.description), "mtu": .integer(link.mtu),
                    "interval_ms": link.interval.map { .rounded($0 / .milliseconds(1)) } ?? .null,
                    "phy": .optional(link.phy),
                ])
        case .resumed(let offset): JSONLine("resumed", ["offset": .integer(offset)])
        case .progress(let sent, let total, let rate):
            JSONLine(
                "progress",
                ["sent": .integer(sent), "total": .integer(total), "bytes_per_second": .rounded(rate)])
        case .speed(let speeds):
            JSONLine(
                "speed",
                [
                    "current": .rounded(speeds.current), "max": .rounded(speeds.max),
                    "min": .rounded(speeds.min), "average": .rounded(speeds.average),
                ])
        case .retry(let attempt, let reason, let offset):
            JSONLine(
                "retry",
                ["attempt": .integer(attempt), "reason": .text(reason.rawValue), "from": .integer(offset)])
        case .learned(let lesson):
            JSONLine(
                "learned",
                lesson.values.mapValues { .integer($0) }.merging(["bootloader": .text(lesson.bootloader)]) {
                    value, _ in value
                })
        case .warning(let code, let text):
            JSONLine("warning", ["code": .text(code.rawValue), "message": .text(text)])
        case .detail(let detail): line(detail)
        }
    }

    private func line(_ detail: UpdateDetail) -> JSONLine {
        switch detail {
        case .deviceInformation(let name, let value):
            JSONLine("device-information", ["name": .text(name), "value": .text(value)])
        case .ready: JSONLine("device-ready", [:])
        case .log(let state, let kind, let text):
            JSONLine("log", ["state": .text(state), "kind": .text(kind.rawValue), "text": .text(text)])
        case .chunk(let place):
            JSONLine(
                "chunk",
                [
                    "chunk": .integer(place.chunk), "chunks": .integer(place.chunks),
                    "chunk_of_block": .integer(place.chunkOfBlock),
                    "chunks_per_block": .integer(place.chunksPerBlock), "block": .integer(place.block),
                    "blocks": .integer(place.blocks),
                ])
        case .block(let number, let count):
            JSONLine("block", ["block": .integer(number), "blocks": .integer(count)])
        case .rebootSent: JSONLine("reboot-sent", [:])
        }
    }
}
