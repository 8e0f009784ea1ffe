import Bluetooth
import Bytes
import CommandKit
import Simulation
import UpdateModel

struct ArrivedUpdate: Equatable, Sendable {
    /// The number of bytes that the beacon holds.
    let bytes: Int
    /// The SHA-256 of the bytes that the beacon holds.
    let held: [UInt8]
    /// The SHA-256 of what was sent; nil if not all of it was seen.
    let sent: [UInt8]?
    /// Whether the beacon holds what was sent and starts it.
    let isRight: Bool

    init(_ update: CompletedUpdate) {
        bytes = update.held.count
        held = SHA256Digest.digest(update.held)
        sent = update.sent.map { SHA256Digest.digest($0) }
        isRight = update.isRight
    }

    var members: [String: JSONValue] {
        [
            "bytes": .integer(bytes), "held_sha256": .text(HexText.encode(held)),
            "sent_sha256": .optional(sent.map { HexText.encode($0) }), "right": .bool(isRight),
        ]
    }
}

struct ClientVerdict: Equatable, Sendable {
    var links = 0
    /// Updates that arrived whole.
    var updates: [ArrivedUpdate] = []
    /// Image packets that were dropped because they came faster than flash is written. That breaks no rule: a
    /// client may detect it by a checksum, and send them again.
    var packetsDropped = 0
    /// How often each rule was broken, by its id.
    private(set) var rules: [String: Int] = [:]

    var rulesBroken: Int { rules.values.reduce(0, +) }
    /// Whether an update arrived, all that arrived are right, and no rule was broken.
    var isGood: Bool { !updates.isEmpty && updates.allSatisfy(\.isRight) && rules.isEmpty }

    mutating func note(_ rule: BrokenRule) { rules[rule.id, default: 0] += 1 }

    /// The exit status. An interruption before anything has happened is not a failure.
    func status(interrupted isInterrupted: Bool) -> ExitStatus {
        if isGood { return .done }
        return isInterrupted && updates.isEmpty && rules.isEmpty ? .interrupted : .failed
    }

    var line: JSONLine {
        JSONLine("verdict").adding([
            "passed": .bool(isGood), "links": .integer(links),
            "updates": .list(updates.map { .object($0.members) }),
            "rules_broken": .object(rules.mapValues { .integer($0) }),
            "packets_dropped": .integer(packetsDropped),
        ])
    }

    var text: TerminalText {
        let image =
            switch updates.last {
            case nil: "no update has arrived"
            case let update? where update.isRight:
                "the image is right (SHA-256 \(HexText.encode(update.held)))"
            case _?: "the image is not what was sent"
            }
        let list = rules.sorted { $0.key < $1.key }.map { "\($0.key) × \($0.value)" }
        let broken = list.isEmpty ? "no rule was broken" : "rules broken: \(list.joined(separator: ", "))"
        let dropped =
            packetsDropped > 0
            ? "; \(packetsDropped) packets that came faster than flash is written were dropped" : ""
        return "verdict: \(isGood ? "passed" : "failed"); \(image); \(broken)\(dropped)"
    }
}

/// Turns the acts of clients into events. Data packets are only counted.
struct ClientLog: Sendable {
    private(set) var verdict = ClientVerdict()
    private var client: DeviceAddress?
    private var connected: Duration?
    /// Data packets, and the answers to them, since the last event.
    private var data = (packets: 0, bytes: 0, answers: 0, dropped: 0)
    private var rulesAtConnect = 0

    /// Notes that the next link is that of `client`.
    mutating func connect(_ client: DeviceAddress) { self.client = client }

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
        return [.data(packets: data.packets, bytes: data.bytes, answers: data.answers, dropped: data.dropped)]
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

    /// Whether an error is part of normal use: attribute not found (0x0A) ends every discovery, insufficient
    /// authentication (0x05) begins a pairing.
    private static func isOrdinary(_ code: UInt8) -> Bool { code == 0x0A || code == 0x05 }
}
