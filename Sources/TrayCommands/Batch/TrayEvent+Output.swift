package import CommandKit
import Tray

/// An event of a run, as JSON, to which the slot or the adapter's name is still to be added.
package struct UnitLine {
    var unit: UnitNumber?
    var adapter: AdapterNumber?
    let line: JSONLine

    /// The line with the label of the unit's slot, or the adapter's name.
    func naming(_ slot: (UnitNumber) -> String, _ adapters: [String]) -> JSONLine {
        var line = line
        if let unit { line = line.adding(["slot": .text(slot(unit))]) }
        if let adapter { line = line.adding(["adapter": .text(adapters[adapter.value])]) }
        return line
    }
}

extension TrayEvent {
    /// As JSON; nil for an update's events, which are those of `flash`, and for events that only keys cause.
    package var line: UnitLine? {
        switch self {
        case .found(let unit, let record): UnitLine(unit: unit, line: JSONLine("found", record.identity))
        case .began(let unit, let attempt):
            UnitLine(
                unit: unit,
                line: JSONLine(
                    "attempt",
                    [
                        "attempt": .integer(attempt.number), "adapter": .text(attempt.adapter),
                        "device": .text(attempt.address),
                    ]))
        case .planned(let unit, let attempt): UnitLine(unit: unit, line: JSONLine("started", attempt.started))
        case .warning(let unit, let warning):
            UnitLine(
                unit: unit,
                line: JSONLine("warning", ["code": .text(warning.code), "message": .text(warning.message)]))
        case .stalled(let unit): UnitLine(unit: unit, line: JSONLine("stalled"))
        case .attempted(let unit, let attempt):
            UnitLine(unit: unit, line: JSONLine("attempted", attempt.result))
        case .ended(let unit, let record): UnitLine(unit: unit, line: record.line)
        case .hold(let hold):
            UnitLine(
                line: JSONLine(
                    hold.released == nil ? "held" : "released",
                    ["code": .text(hold.code), "message": .text(hold.message)]))
        case .adapter(let number, let links, let limit):
            UnitLine(
                adapter: number,
                line: JSONLine("links", ["links": .integer(links), "limit": .integer(limit)]))
        case .presence(let number, let isThere):
            UnitLine(adapter: number, line: JSONLine(isThere ? "adapter-back" : "adapter-gone"))
        case .update, .canShow, .blinking: nil
        }
    }
}

extension UnitRecord {
    package var identity: [String: JSONValue] {
        [
            "device": .optional(address), "id": .optional(identifier), "name": .optional(name),
            "vendor": .optional(vendor), "model": .optional(model),
            "rssi": rssi.map { .integer($0) } ?? .null,
        ]
    }

    /// The event of the unit's end: `finished` if it has its firmware, else `failed`.
    package var line: JSONLine {
        let last = attempts.last
        let members: [String: JSONValue] = [
            "device": .optional(address), "attempts": .integer(attempts.count),
            "version_from": .optional(last?.versionBefore), "version": .optional(last?.versionAfter),
            "verified": .optional(last?.verified),
        ]
        return JSONLine(
            verdict?.outcome.isGood == true ? "finished" : "failed", members.merging(verdict.members) { $1 })
    }
}

extension AttemptRecord {
    var started: [String: JSONValue] {
        [
            "file": .optional(firmware?.path), "sha256": .optional(firmware?.sha256),
            "kind": .optional(firmware?.kind), "device": .text(address),
            "bytes": firmware.map { .integer($0.bytes) } ?? .null, "version_from": .optional(versionBefore),
            "version_to": .optional(firmware?.version), "attempt": .integer(number),
            "adapter": .text(adapter),
        ]
    }

    package var result: [String: JSONValue] {
        [
            "attempt": .integer(number), "outcome": .optional(verdict?.outcome.rawValue),
            "code": .optional(verdict?.code), "seconds": seconds.map { .rounded($0) } ?? .null,
            "transfer_seconds": transfer.map { .rounded($0.seconds) } ?? .null,
            "average_bytes_per_second": transfer.map { .rounded($0.average) } ?? .null,
            "retries": transfer.map { .integer($0.retries) } ?? .null,
            "limited_by": .optional(transfer?.limitedBy), "verified": .optional(verified),
        ]
    }
}
