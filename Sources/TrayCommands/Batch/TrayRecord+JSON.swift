package import Bytes
package import CommandKit
package import Tray

extension TrayRecord {
    /// The whole record as one line of JSON, which is also a complete document.
    package func line(made: RecordedTime, version: String) -> JSONLine {
        let counts = counts
        return JSONLine(
            "tray-report",
            members(and: [
                "made": .text("\(made)"), "version": .text(version), "expected": .optional(expected),
                "simulated": .bool(isSimulated == true), "single": .bool(isSingle == true),
                "open": .integer(counts.open),
                "counts": .object(counts.byOutcome.mapValues(JSONValue.integer)),
                "first_pass_yield": counts.firstPassYield.json, "final_yield": counts.finalYield.json,
                "causes": .list(causes.map(\.json)), "sessions": .list(sessions.map(\.json)),
                "holds": .list(holds.map(\.json)), "units": .list(units.map { .object($0.members) }),
            ]))
    }

    /// The members that identify the run, together with `more`.
    private func members(and more: [String: JSONValue]) -> [String: JSONValue] {
        FieldSource(of: self).members(.run, and: more)
    }

    /// The key of the result of a unit that ended at `moment`.
    package func key(of unit: UnitRecord, at moment: RecordedTime) -> String {
        "\(id)/\(unit.slot)/\(moment)"
    }

    /// The result as hooks and the work server receive it.
    func resultMembers(of unit: UnitRecord, at moment: RecordedTime) -> [String: JSONValue] {
        unit.members.merging(
            members(and: ["key": .text(key(of: unit, at: moment)), "finished": .text("\(moment)")])
        ) { $1 }
    }
}

extension UnitRecord {
    package var members: [String: JSONValue] {
        FieldSource(self).members(
            .unit, .verdict,
            and: ["attempts": .list(attempts.map(\.json)), "device_state": verdict?.state?.json ?? .null])
    }
}

extension FieldSource {
    fileprivate func members(
        _ parts: RecordField.Part..., and more: [String: JSONValue]
    ) -> [String: JSONValue] {
        let own = parts.flatMap(RecordField.of).map { ($0.name, JSONValue($0.value(self))) }
        return more.merging(own) { $1 }
    }
}

extension JSONValue {
    init(_ value: RecordValue?) {
        self =
            switch value {
            case nil: .null
            case .text(let text): .text(text)
            case .integer(let number): .integer(number)
            case .number(let number): .rounded(number)
            case .flag(let flag): .bool(flag)
            }
    }
}

extension UnitState {
    fileprivate var json: JSONValue {
        .object([
            "program": .text(program), "address": .text(address), "application": .text(application),
            "message": .text(words),
        ])
    }
}

extension AttemptRecord {
    fileprivate var json: JSONValue {
        let members: [String: JSONValue] = [
            "firmware": firmware?.json ?? .null, "transfer": transfer?.json ?? .null,
            "device_state": verdict?.state?.json ?? .null,
            "phases": .list(phases.map { .object(["name": .text($0.name), "at": .rounded($0.at)]) }),
            "speeds": .list(
                speeds.map {
                    .object(["at": .rounded($0.at), "bytes_per_second": .rounded($0.bytesPerSecond)])
                }),
            "warnings": .list(
                warnings.map { .object(["code": .text($0.code), "message": .text($0.message)]) }),
        ]
        return .object(FieldSource(self).members(.attempt, .verdict, and: members))
    }
}

extension AttemptRecord.Transfer {
    fileprivate var json: JSONValue {
        .object([
            "bytes": .integer(bytes), "seconds": .rounded(seconds),
            "average_bytes_per_second": .rounded(average), "retries": .integer(retries),
            "limited_by": .optional(limitedBy),
        ])
    }
}

extension FirmwareRecord {
    fileprivate var json: JSONValue {
        .object([
            "file": .text(path), "sha256": .text(sha256), "kind": .text(kind), "bytes": .integer(bytes),
            "version": .optional(version),
        ])
    }
}

extension Yield {
    fileprivate var json: JSONValue {
        .object(["passed": .integer(passed), "counted": .integer(counted), "share": .rounded(share)])
    }
}

extension CauseCount {
    fileprivate var json: JSONValue {
        .object([
            "code": .text(code), "slots": .list(slots.map(JSONValue.text)),
            "adapters": .object(adapters.mapValues(JSONValue.integer)),
        ])
    }
}

extension TrayRecord.Session {
    fileprivate var json: JSONValue {
        let adapters = adapters.map { adapter in
            JSONValue.object([
                "name": .text(adapter.name), "most_links": .optional(adapter.mostLinks),
                "limit": .optional(adapter.limit),
            ])
        }
        return .object([
            "session": .integer(number), "began": .text("\(began)"),
            "ended": .optional(ended.map { "\($0)" }), "seconds": .rounded(seconds),
            "version": .text(version), "adapters": .list(adapters), "limited_by": .optional(limitedBy),
            "most_bytes_per_second": .optional(mostBytesPerSecond),
            "checks": .list(
                checks.map {
                    .object(["name": .text($0.name), "level": .text($0.level), "message": .text($0.message)])
                }),
        ])
    }
}

extension TrayRecord.Hold {
    fileprivate var json: JSONValue {
        .object([
            "began": .text("\(began)"), "code": .text(code), "message": .text(message),
            "released": .optional(released.map { "\($0)" }),
        ])
    }
}
