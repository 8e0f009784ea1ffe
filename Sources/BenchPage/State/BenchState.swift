package import Bytes
import Tray

package struct BenchState: Hashable, Sendable {
    package var benches: [Bench]
    package var title: String
    /// The number of orders that are held, with or without a bench.
    package var heldOrders = 0

    package init(title: String = "beacon-dfu", benches: [Bench] = []) {
        (self.title, self.benches) = (title, benches)
    }

    /// The state for the page. Objects are keyed, with a list of keys for the order: a patch has only what has changed.
    package var json: JSONValue {
        .members([
            "schema": .integer(1), "title": .text(title), "held_orders": .integer(heldOrders),
            "order": .list(benches.map { .text($0.key) }),
            "benches": .keyed(benches.map { ($0.key, $0.json) }),
        ])
    }
}

extension Bench {
    /// The bench's key in JSON, with a prefix: a foreign id such as `__proto__` has a special meaning in browsers.
    var key: String { "b:" + id }

    var json: JSONValue {
        let speed = bytesPerSecond ?? units.compactMap(\.bytesPerSecond).reduce(0, +)
        let actions = BenchAction.Kind.allCases.filter(actions.contains).map { JSONValue.text($0.name) }
        let members: [String: JSONValue?] = [
            "id": .text(id), "name": .text(name), "run": run?.json,
            "slots": .list(units.map { .text($0.key) }), "units": .keyed(units.map { ($0.key, $0.json) }),
            "adapters": .list(adapters.map(\.json)), "figures": UnitCounts(units).json(speed),
            "scan": scan?.json, "hold": hold?.json, "order_hold": isHeldWithOrder ? .bool(true) : nil,
            "outbox": outbox?.json, "catalogue": catalogue?.json, "actions": .list(actions),
            "course": speeds.json, "ends": ends?.json, "ending": .bool(isEnding), "past": .bool(isPast),
            "idle": idle?.json, "silent": silence?.json,
        ]
        return .members(members)
    }
}

extension Bench.Hold {
    fileprivate var json: JSONValue {
        .members(["code": .text(code), "message": .text(message), "since": since.json])
    }
}

extension Bench.Adapter {
    var json: JSONValue {
        .members([
            "name": .text(name), "links": .integer(links), "limit": limit.map(JSONValue.integer),
            "there": .bool(isThere),
        ])
    }
}

extension UnitCounts {
    func json(_ bytesPerSecond: Double) -> JSONValue {
        .members([
            "counts": .keyed(byStatus.map { ($0.rawValue, .integer($1)) }), "good": .integer(good),
            "first_pass_yield": .rounded(firstPassYield.share), "final_yield": .rounded(finalYield.share),
            "first_pass": firstPassYield.json, "final": finalYield.json,
            "bytes_per_second": .rounded(bytesPerSecond.rounded()),
        ])
    }
}

extension Yield {
    var json: JSONValue { .members(["passed": .integer(passed), "counted": .integer(counted)]) }
}

extension PageUnit {
    var key: String { "u:" + self.slot }

    var json: JSONValue {
        let progress: [String: JSONValue?] = [
            "last": .optional(shortAddress), "golden": self.isGolden ? .bool(true) : nil,
            "standing": .text(status.rawValue), "phase": .optional(phase),
            "percent": share.map { .integer(Int(max(0, min(1, $0)) * 100)) },
            "speed": .rounded(bytesPerSecond?.rounded()), "seconds_left": .rounded(secondsLeft?.rounded(.up)),
            "attempts": attempts > 0 ? .integer(attempts) : nil, "adapter": .optional(adapter),
            "version_from": .optional(versionBefore), "version": .optional(version), "code": .optional(code),
            "cause": .optional(cause), "next_step": .optional(nextStep), "state": .optional(stateText),
        ]
        return .members(progress.merging(fields.mapValues(Optional.some)) { own, _ in own })
    }
}

extension JSONValue {
    /// An object with `members`; of several with the same name, it gets only the first.
    static func keyed(_ members: [(String, JSONValue)]) -> JSONValue {
        .object(Dictionary(members, uniquingKeysWith: { first, _ in first }))
    }
}

extension RecordedTime { var json: JSONValue { .integer(Int(milliseconds)) } }
