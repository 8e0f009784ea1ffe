package import Bytes
package import CommandKit
package import Tray

extension TrayRecord {
    /// The whole record as one line of JSON, which is also a complete document.
    package func line(made: RecordedTime, version: String) -> JSONLine {
        JSONLine(
            "tray-report",
            [
                "made": .text("\(made)"), "version": .text(version), "run": .text(id),
                "tray": .optional(tray),
                "station": .optional(station), "operator": .optional(operatorName),
                "order_number": .optional(orderNumber), "expected": .optional(expected),
                "simulated": .bool(isSimulated == true), "single": .bool(isSingle == true),
                "open": .integer(open),
                "counts": .object(
                    Dictionary(
                        uniqueKeysWithValues: Outcome.allCases.map {
                            ($0.rawValue, .integer(counts[$0] ?? 0))
                        })),
                "first_pass_yield": firstPassYield.json, "final_yield": finalYield.json,
                "causes": .list(causes.map(\.json)), "sessions": .list(sessions.map(\.json)),
                "holds": .list(holds.map(\.json)), "units": .list(units.map { .object($0.members) }),
            ])
    }
}

extension UnitRecord {
    /// The whole record of the unit, as members of a JSON object.
    package var members: [String: JSONValue] {
        [
            "slot": .text(slot), "device": .optional(device), "address": .optional(address),
            "id": .optional(identifier), "name": .optional(name), "vendor": .optional(vendor),
            "model": .optional(model), "rssi": .optional(rssi), "golden": .bool(isGolden),
            "first_pass": .optional(passedFirst), "attempts": .list(attempts.map(\.json)),
        ].merging(verdict.members) { $1 }
    }
}

extension Tray.UnitVerdict? {
    /// The members of a verdict; null while there is none.
    package var members: [String: JSONValue] {
        let state = self?.state.map { state in
            JSONValue.object([
                "program": .text(state.program), "address": .text(state.address),
                "application": .text(state.application), "message": .text(state.words),
            ])
        }
        return [
            "outcome": .optional(self?.outcome.rawValue), "code": .optional(self?.code),
            "during": .optional(self?.during), "message": .optional(self?.message),
            "next_step": .optional(self?.nextStep), "device_state": state ?? .null,
        ]
    }
}

extension AttemptRecord {
    fileprivate var json: JSONValue {
        let members: [String: JSONValue] = [
            "attempt": .integer(number), "session": .integer(session), "adapter": .text(adapter),
            "began": .text("\(began)"), "seconds": seconds.map(JSONValue.rounded) ?? .null,
            "address": .text(address), "firmware": firmware?.json ?? .null,
            "version_before": .optional(versionBefore), "version_after": .optional(versionAfter),
            "verified": .optional(verified), "transfer": transfer?.json ?? .null,
            "phases": .list(phases.map { .object(["name": .text($0.name), "at": .rounded($0.at)]) }),
            "speeds": .list(
                speeds.map {
                    .object(["at": .rounded($0.at), "bytes_per_second": .rounded($0.bytesPerSecond)])
                }),
            "warnings": .list(
                warnings.map { .object(["code": .text($0.code), "message": .text($0.message)]) }),
        ]
        return .object(members.merging(verdict.members) { $1 })
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
        .object([
            "passed": .integer(passed), "counted": .integer(counted),
            "share": share.map(JSONValue.rounded) ?? .null,
        ])
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
            "ended": .optional(ended.map { "\($0)" }), "seconds": seconds.map { .rounded($0) } ?? .null,
            "version": .text(version), "adapters": .list(adapters), "limited_by": .optional(limitedBy),
            "most_bytes_per_second": .optional(mostBytesPerSecond),
            "checks": .list(
                checks.map {
                    .object([
                        "name": .text($0.name), "level": .text($0.level), "message": .text($0.message),
                    ])
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
