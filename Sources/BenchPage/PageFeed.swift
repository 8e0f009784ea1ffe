import Bytes

/// The event feed of the page: the state, and numbered patches, at most one in each interval. A reader that is too far
/// behind gets the whole state again, so it needs no more memory than others.
struct PageFeed: Sendable {
    /// The most patches kept for readers that reconnect, and the most bytes of their JSON.
    static let mostEvents = 1000
    static let mostBytes = 4 << 20
    /// The interval between two patches: four per second.
    static let interval = Duration.milliseconds(250)

    private let epoch: String
    private var published: JSONValue
    private var latest: BenchState
    private var isChanged = false
    /// When the last patch was made, counted from the server's start; nil before the first.
    private var lastPatch: Duration?
    private var number = 0
    private var patches: [StreamEvent] = []
    private var bytes = 0
    /// The state as text, until it changes.
    private var cachedSnapshot: StreamEvent?

    /// A feed that starts with `state`; `epoch` differs at each start of the server.
    init(_ state: BenchState = BenchState(), epoch: String) {
        (latest, published, self.epoch) = (state, state.json, epoch)
    }

    /// The position of a reader that has all events.
    var position: StreamPosition { StreamPosition(epoch: epoch, number: number) }

    /// Sets the state. Readers get it with the next patch.
    mutating func offer(_ state: BenchState) {
        guard state != latest else { return }
        (latest, isChanged) = (state, true)
    }

    func bench(_ id: String) -> Bench? { latest.benches.first { $0.id == id } }

    /// Whether readers can get all changes.
    var isPublished: Bool { !isChanged }

    /// When the next patch may be made; nil if there are no changes.
    func due(at moment: Duration) -> Duration? {
        guard isChanged else { return nil }
        guard let lastPatch else { return moment }
        return max(moment, lastPatch + Self.interval)
    }

    /// Makes a patch of the changes if it is due. Returns whether there is one.
    mutating func publish(at moment: Duration) -> Bool {
        guard let due = due(at: moment), due <= moment else { return false }
        isChanged = false
        let state = latest.json
        guard let patch = state.patch(from: published) else { return false }
        (published, lastPatch, cachedSnapshot) = (state, moment, nil)
        number += 1
        let event = StreamEvent(position: position, name: "patch", data: patch.line)
        patches.append(event)
        bytes += event.data.utf8.count
        while patches.count > Self.mostEvents || (bytes > Self.mostBytes && patches.count > 1) {
            bytes -= patches.removeFirst().data.utf8.count
        }
        return true
    }

    /// The events for a reader at `position`, which is nil for a new reader: the patches after it, if all are kept and
    /// together no longer than the state; otherwise the state. Empty if there is nothing new.
    mutating func answer(after position: StreamPosition?) -> [StreamEvent] {
        let snapshot = snapshot()
        guard let position, position.epoch == epoch, position.number <= number else { return [snapshot] }
        let missing = number - position.number
        guard missing <= patches.count else { return [snapshot] }
        let since = Array(patches.suffix(missing))
        let length = since.reduce(0) { $0 + $1.data.utf8.count }
        return length <= snapshot.data.utf8.count ? since : [snapshot]
    }

    mutating func snapshot() -> StreamEvent {
        if let cachedSnapshot { return cachedSnapshot }
        let event = StreamEvent(position: position, name: "snapshot", data: published.line)
        cachedSnapshot = event
        return event
    }
}

/// An event of the stream in its wire format (HTML, server-sent events).
struct StreamEvent: Hashable, Sendable {
    /// The position of a reader that has received it.
    let position: StreamPosition
    /// `snapshot` or `patch`.
    let name: String
    /// One line of JSON.
    let data: String

    var text: String { "id: \(position.text)\nevent: \(name)\ndata: \(data)\n\n" }
}

/// The position of a reader: the server's epoch, and the number of the last event received.
struct StreamPosition: Hashable, Sendable {
    /// Identifies one start of the server: numbers of another start are unrelated.
    let epoch: String
    /// Counted from 0, the initial state.
    let number: Int

    init(epoch: String, number: Int) { (self.epoch, self.number) = (epoch, number) }

    init?(_ text: String) {
        let parts = text.split(separator: ".", maxSplits: 1)
        guard text.utf8.count <= 64, parts.count == 2, let number = Int(parts[1]), number >= 0 else {
            return nil
        }
        self.init(epoch: String(parts[0]), number: number)
    }

    var text: String { "\(epoch).\(number)" }
}

extension JSONValue {
    /// The patch that turns `earlier` into this value (RFC 7396, JSON Merge Patch); nil if they are equal.
    func patch(from earlier: JSONValue) -> JSONValue? {
        guard self != earlier else { return nil }
        guard case .object(let new) = self, case .object(let old) = earlier else { return self }
        var changes: [String: JSONValue] = [:]
        for (name, value) in new {
            guard let before = old[name] else {
                changes[name] = value
                continue
            }
            if let change = value.patch(from: before) { changes[name] = change }
        }
        for name in old.keys where new[name] == nil { changes[name] = .null }
        return .object(changes)
    }
}
