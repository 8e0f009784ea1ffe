package import Bluetooth
import Simulation
import Synchronization
package import UpdateModel

/// How a beacon is heard. A deaf one advertises as connectable but accepts no connections; an inaudible one does not
/// advertise but accepts them; for a crowded one the adapter has no free link.
package enum Hearing: Sendable { case normal, absent, notConnectable, deaf, inaudible, crowded }

/// A simulated air in which a beacon may be out of reach.
struct EditedAir: Adapter {
    let base: SimulatedAdapter
    /// Whether the adapter passes every report on; a kernel does not.
    let passesEveryReport: Bool
    let hearing: @Sendable (DeviceAddress) -> Hearing

    var time: Timekeeper { base.time }

    func advertisements() async throws(AdapterError) -> AsyncStream<Advertisement> {
        let heard = try await base.advertisements()
        let hearing = hearing
        return AsyncStream {
            for await report in heard {
                switch hearing(report.address) {
                case .normal, .deaf, .crowded: return report
                case .absent, .inaudible: continue
                case .notConnectable:
                    return Advertisement(
                        address: report.address, rssi: report.rssi, isConnectable: false, data: report.data)
                }
            }
            return nil
        }
    }

    func open(
        _ channel: LinkChannel, to peer: DeviceAddress, asking linkRequest: LinkRequest,
        within limit: Duration
    ) async throws(AdapterError) -> PacketSocket {
        switch hearing(peer) {
        case .normal, .inaudible: break
        case .crowded: throw .tooManyLinks(adapter: "sim0")
        case .absent, .notConnectable, .deaf:
            do { try await time.sleep(for: limit) } catch { throw .cancelled }
            throw .noAnswer(peer)
        }
        return try await base.open(channel, to: peer, asking: linkRequest, within: limit)
    }

    func advertisingInterval(of peer: DeviceAddress) -> Duration? { base.advertisingInterval(of: peer) }

    func parameters(of channel: PacketSocket) async -> LinkParameters { await base.parameters(of: channel) }

    func encrypt(_ channel: PacketSocket, within limit: Duration) async throws(AdapterError) {
        try await base.encrypt(channel, within: limit)
    }
}

/// The reported events with their times.
package final class EventLog: Sendable {
    private let time: Timekeeper
    private let events = Mutex<[(Duration, UpdateEvent)]>([])

    package init(_ time: Timekeeper) { self.time = time }

    package func add(_ event: UpdateEvent) {
        let now = time.now
        events.withLock { $0.append((now, event)) }
    }

    package var all: [UpdateEvent] { events.withLock { $0.map(\.1) } }
    package var moments: [Duration] { events.withLock { $0.map(\.0) } }

    /// How long ago `phase` last began; nil if it has not.
    package func age(of phase: UpdatePhase) -> Duration? {
        let start = events.withLock { $0.last { $0.1 == .phase(phase) }?.0 }
        return start.map { time.now - $0 }
    }
}
