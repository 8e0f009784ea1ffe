import UpdateCore

/// Which program a restarting beacon is expected to come back with.
struct Awaited: CustomStringConvertible, Sendable {
    /// Whether an application comes up in the end.
    var hasApplication = true
    private var part: UpdatePart?

    init(hasApplication: Bool = true) { self.hasApplication = hasApplication }

    /// Notes which part is under way.
    mutating func note(_ event: UpdateEvent) {
        if case .part(let part) = event { self.part = part }
    }

    /// After every part but the last the update goes on in the bootloader.
    var description: String {
        if let part, part.number < part.count { return "the bootloader" }
        return hasApplication ? "the application" : "the beacon"
    }
}
