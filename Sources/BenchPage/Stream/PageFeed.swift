/// What readers of the page are told: the state, and numbered patches since. At most one patch in each interval, whatever happens in it;
/// a reader who is too far behind gets the state again, and so costs no more memory than one who is not.
public struct PageFeed: Sendable {
    /// The most events that are kept for readers who come back.
    public static let mostEvents = 1000
    /// The most bytes of them.
    static let mostBytes = 4 << 20
    /// Between two patches: four a second.
    public static let interval = Duration.milliseconds(250)

    /// What a reader gets.
    public enum Answer: Hashable, Sendable {
        /// Nothing: there is nothing new.
        case nothing
        /// These, in their order.
        case events([StreamEvent])
    }

    private let epoch: String
    private var published: PageValue
    private var latest: BenchState
    private var isChanged = false
    private var last: Duration?
    private var number = 0
    private var patches: [StreamEvent] = []
    private var bytes = 0
    /// The state as text, for as long as it is that.
    private var whole: StreamEvent?

    /// A feed that begins with `state`; `epoch` is another at each start.
    public init(_ state: BenchState = BenchState(), epoch: String) {
        (latest, published, self.epoch) = (state, state.json, epoch)
    }

    /// Where a reader is who has everything.
    public var position: StreamPosition { StreamPosition(epoch: epoch, number: number) }

    /// The state is this now. Readers learn it with the next patch.
    public mutating func offer(_ state: BenchState) {
        guard state != latest else { return }
        (latest, isChanged) = (state, true)
    }

    /// The bench `id` as it is now.
    public func bench(_ id: String) -> Bench? { latest.benches.first { $0.id == id } }

    /// Whether there is nothing that readers have not been told of.
    public var isTold: Bool { !isChanged }

    /// When the next patch may be made; nil where there is nothing to tell.
    public func due(at moment: Duration) -> Duration? {
        guard isChanged else { return nil }
        guard let last else { return moment }
        return max(moment, last + Self.interval)
    }

    /// Makes a patch of what has changed, if its time has come. Whether there is one.
    public mutating func publish(at moment: Duration) -> Bool {
        guard let due = due(at: moment), due <= moment else { return false }
        isChanged = false
        let state = latest.json
        guard let patch = state.patch(from: published) else { return false }
        (published, last, whole) = (state, moment, nil)
        number += 1
        let event = StreamEvent(position: position, name: "patch", data: patch.line)
        patches.append(event)
        bytes += event.data.utf8.count
        while patches.count > Self.mostEvents || (bytes > Self.mostBytes && patches.count > 1) {
            bytes -= patches.removeFirst().data.utf8.count
        }
        return true
    }

    /// What a reader has to be told who has everything up to `position`, or nothing: the patches since where they are kept and
    /// shorter than the state, else the state.
    public mutating func answer(after position: StreamPosition?) -> Answer {
        let whole = snapshot()
        guard let position, position.epoch == epoch, position.number <= number else {
            return .events([whole])
        }
        guard position.number < number else { return .nothing }
        let missing = number - position.number
        guard missing <= patches.count else { return .events([whole]) }
        let since = Array(patches.suffix(missing))
        let length = since.reduce(0) { $0 + $1.data.utf8.count }
        return .events(length <= whole.data.utf8.count ? since : [whole])
    }

    /// The state as it was last told of.
    public mutating func snapshot() -> StreamEvent {
        if let whole { return whole }
        let event = StreamEvent(position: position, name: "snapshot", data: published.line)
        whole = event
        return event
    }
}
