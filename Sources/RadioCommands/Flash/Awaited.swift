import UpdateModel

/// Which program a restarting beacon is expected to come back with.
struct Awaited: CustomStringConvertible, Sendable {
    /// Whether an application comes up in the end.
    var hasApplication = true
    private var part: UpdatePart?

    init(hasApplication: Bool = true) { self.hasApplication = hasApplication }

    /// Records which part is being sent.
    mutating func note(_ event: UpdateEvent) {
        if case .part(let part) = event { self.part = part }
    }

    /// After every part but the last, the update continues in the bootloader.
    var description: String {
        if let part, part.number < part.count { return "the bootloader" }
        return hasApplication ? "the application" : "the beacon"
    }
}
