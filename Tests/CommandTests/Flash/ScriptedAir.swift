import Bluetooth
import Synchronization

/// An adapter that delivers given reports, each at its time after the adapter was made, and connects to nothing.
struct ScriptedAir: Adapter {
    let time: Timekeeper
    private let began: Duration
    private let deafness: Duration
    private let reports: [(at: Duration, report: Advertisement)]
    var passesEveryReport: Bool { true }
    var deafTime: Duration { min(time.now - began, deafness) }

    /// Another program's scan interferes for the first `deafness`.
    init(
        time: Timekeeper, reports: [(at: Duration, report: Advertisement)], deafFor deafness: Duration = .zero
    ) {
        self.time = time
        began = time.now
        self.deafness = deafness
        self.reports = reports.map { (time.now + $0.at, $0.report) }
    }

    func advertisements() async throws(AdapterError) -> AsyncStream<Advertisement> {
        let script = Script(reports.filter { $0.at >= time.now })
        return AsyncStream { [time] in
            guard let (moment, report) = script.next() else {
                try? await time.sleep(for: .seconds(86_400))
                return nil
            }
            guard (try? await time.sleep(until: moment)) != nil else { return nil }
            return report
        }
    }

    /// The reports still to be delivered.
    private final class Script: Sendable {
        private let rest: Mutex<ArraySlice<(at: Duration, report: Advertisement)>>

        init(_ reports: [(at: Duration, report: Advertisement)]) { rest = Mutex(reports[...]) }

        func next() -> (at: Duration, report: Advertisement)? { rest.withLock { $0.popFirst() } }
    }

    func open(
        _ channel: LinkChannel, to peer: DeviceAddress, asking linkRequest: LinkRequest,
        within limit: Duration
    ) async throws(AdapterError) -> PacketSocket { throw .noAnswer(peer) }
    func parameters(of channel: PacketSocket) async -> LinkParameters { LinkParameters() }
    func encrypt(_ channel: PacketSocket, within limit: Duration) async throws(AdapterError) {}
}
