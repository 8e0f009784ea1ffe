import Bytes

/// The limits of a tray's run; nil for no limit.
package struct TrayLimits: Hashable, Sendable {
    /// Links of each adapter at the same time.
    package private(set) var links: Int?
    /// Attempts at a unit before it counts as failed.
    package private(set) var attempts: Int?
    /// The percentage of units that may fail; above it, no further unit starts.
    package private(set) var failurePercent: Int?
    /// Seconds for a unit, for all its attempts together.
    package private(set) var unitSeconds: Int?
    /// Seconds for the whole tray; after them, no further unit starts.
    package private(set) var traySeconds: Int?

    package init() {}

    typealias Limit = WritableKeyPath<TrayLimits, Int?> & Sendable

    /// All limits with their keys and ranges, in the order of the format's page.
    static let all: [(key: String, limit: any Limit, range: ClosedRange<Int>)] = [
        // 20 is the largest known limit of a controller.
        ("links", \.links, 1...64), ("attempts", \.attempts, 1...100),
        ("failure_percent", \.failurePercent, 0...100),
        // 86,400 s are a day.
        ("unit_s", \.unitSeconds, 1...86_400), ("tray_s", \.traySeconds, 1...86_400),
    ]

    /// Reads the members of a mapping; throws for a value that is out of its range.
    init(_ value: YAMLValue) throws(YAMLProblem) {
        let values = try value.values(of: Self.all.map(\.key))
        for (key, limit, range) in Self.all { self[keyPath: limit] = try values[key]?.number(in: range) }
        try value.checked(check)
    }

    /// These limits with `links` as the limit of links, unless it is nil; throws if it is out of its range.
    package func allowing(links: Int?) throws(TrayFileError) -> TrayLimits {
        var limits = self
        limits.links = links ?? limits.links
        try limits.check()
        return limits
    }

    private func check() throws(TrayFileError) {
        for (key, limit, range) in Self.all { try self[keyPath: limit].check(in: range, of: key) }
        if let unitSeconds, let traySeconds, unitSeconds > traySeconds {
            throw TrayFileError(
                "unit_s", "a unit may take \(unitSeconds) s, and its tray only \(traySeconds) s")
        }
    }
}
