import Bluetooth
import Simulation

/// The acts of clients as events, one line each. Data packets are only counted.
struct ClientStory: Sendable {
    /// The verdict on the clients so far.
    private(set) var verdict = ClientVerdict()
    private var client: DeviceAddress?
    private var connected: Duration?
    /// Data packets, and the answers to them, since the last event.
    private var data = (packets: 0, bytes: 0, answers: 0, dropped: 0)
    private var rulesAtConnect = 0

    /// The next link is that of `client`.
    mutating func connect(_ client: DeviceAddress, at now: Duration) -> [SimulationEvent] {
        self.client = client
        return []
    }

    /// Records `act`, and returns the events to show.
    mutating func note(_ act: ClientAct, at now: Duration) -> [SimulationEvent] {
        switch act {
        case .sent(let bytes):
            data.packets += 1
            data.bytes += bytes
            return []
        case .dropped(let packets):
            data.dropped += packets
            verdict.packetsDropped += packets
            return []
        case .answered where data.packets > 0:
            data.answers += 1
            return []
        default: return takeData() + events(of: act, at: now)
        }
    }

    private mutating func takeData() -> [SimulationEvent] {
        guard data.packets > 0 else { return [] }
        defer { data = (0, 0, 0, 0) }
        return [
            .data(packets: data.packets, bytes: data.bytes, answers: data.answers, dropped: data.dropped)
        ]
    }

    private mutating func events(of act: ClientAct, at now: Duration) -> [SimulationEvent] {
        switch act {
        case .connected:
            connected = now
            rulesAtConnect = verdict.rulesBroken
            verdict.links += 1
            return [.connected(client)]
        case .exchangedMTU(let asked, let agreed): return [.exchangedMTU(asked: asked, agreed: agreed)]
        case .subscribed(let uuid, let bits): return [.subscribed(uuid, bits: bits)]
        case .requested(let request): return [.requested(request)]
        case .answered(let value, let uuid): return [.answered(value, uuid)]
        case .refused(let code): return Self.isOrdinary(code) ? [] : [.refused(code)]
        case .openedChannel(let psm): return [.openedChannel(psm: psm)]
        case .broke(let rule):
            verdict.note(rule)
            return [.broke(rule)]
        case .completed(let update):
            let arrived = ArrivedUpdate(update)
            verdict.updates.append(arrived)
            return [.arrived(arrived)]
        case .restarted: return [.restarted]
        case .disconnected:
            let seconds = connected.map { (now - $0) / .seconds(1) }
            return [.disconnected(seconds: seconds, rulesBroken: verdict.rulesBroken - rulesAtConnect)]
        case .sent, .dropped: return []
        }
    }

    /// Whether an error is part of normal use: attribute not found (0A) ends every discovery, insufficient
    /// authentication (05) begins a pairing.
    private static func isOrdinary(_ code: UInt8) -> Bool { code == 0x0A || code == 0x05 }
}
