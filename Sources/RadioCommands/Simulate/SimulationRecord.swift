import Bluetooth
import Simulation
import Synchronization

/// Reports what happens to a served beacon as events, and keeps the verdict.
final class SimulationRecord: Sendable {
    private let story = Mutex(ClientStory())
    private let tell: @Sendable (SimulationEvent) -> Void

    /// Passes events to `tell`.
    init(_ tell: @escaping @Sendable (SimulationEvent) -> Void) { self.tell = tell }

    /// Whether an update has arrived.
    var hasUpdate: Bool { story.withLock { !$0.verdict.updates.isEmpty } }
    /// The verdict on the clients so far.
    var verdict: ClientVerdict { story.withLock { $0.verdict } }

    /// Records an act of a client.
    func note(_ act: ClientAct, at now: Duration) { report { $0.note(act, at: now) } }
    /// Records that `client` is about to connect.
    func connect(_ client: DeviceAddress, at now: Duration) { report { $0.connect(client, at: now) } }
    /// Records that the beacon advertises.
    func appear(
        at address: DeviceAddress, as report: Advertisement?, through adapter: String, _ own: DeviceAddress?,
        leftOut: Int, at now: Duration
    ) {
        let name = report?.data.name
        self.report { _ in [.advertising(address, name: name, adapter: adapter, own: own, leftOut: leftOut)] }
    }
    /// Records that a feature of the beacon cannot be served.
    func note(failure: String) { report { _ in [.trouble(failure)] } }

    private func report(_ body: @Sendable (inout ClientStory) -> [SimulationEvent]) {
        for event in story.withLock({ body(&$0) }) { tell(event) }
    }
}
