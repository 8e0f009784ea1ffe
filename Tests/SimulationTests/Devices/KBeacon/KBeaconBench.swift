import Bluetooth
import Bytes

@testable import Simulation

/// A session with a client that writes packets and receives the replies.
struct KBeaconBench {
    var session: KBeaconSession
    var now = Duration.zero

    init(
        _ generation: KBeaconGeneration = .second, at address: String = "BC:57:29:02:45:9F",
        mtu: Int = 247, faults: [KBeaconFault] = [], retained: KBeaconMemory? = nil,
        _ change: (inout KBeaconDescription) -> Void = { _ in }
    ) throws {
        guard let address = DeviceAddress(address) else { throw BeaconBench.Failure() }
        var description = KBeaconDescription(generation)
        change(&description)
        session = KBeaconSession(
            description, at: address, StandardIdentity(address: address), name: "Bench",
            faults: faults.map { .kbeacon($0) }, retained: retained)
        session.start(application: 1, version: 0)
        session.connect()
        session.longestValue = mtu - 3
    }

    /// Writes this to FEA1; returns the replies, in hexadecimal, `end` for the end of the link. Time continues to the
    /// last of them.
    @discardableResult
    mutating func send(_ value: String) -> [String] { send(hex(value)) }

    @discardableResult
    mutating func send(_ value: [UInt8]) -> [String] { words(session.receive(value, at: now)) }

    /// The messages that become due.
    mutating func wait() -> [String] {
        now = max(now, session.announcementDue ?? now)
        return words(session.announce(isSubscribed: true, at: now))
    }

    private mutating func words(_ reactions: [BeaconReaction]) -> [String] {
        reactions.map {
            switch $0 {
            case .notify(let value, _, let isEvent, let due):
                now = max(now, due)
                return (isEvent ? "event " : "") + HexText.encode(value)
            case .disconnect(let due):
                now = max(now, due)
                return "end"
            case .send, .reset: return "\($0)"
            }
        }
    }

    /// A whole command in one piece.
    @discardableResult
    mutating func ask(_ text: String) -> [String] { send([0x23, 0, 0] + Array(text.utf8)) }

    /// The handshake with a password.
    @discardableResult
    mutating func authenticate(_ password: String = KBeaconDescription.factoryPassword) -> [String] {
        guard let answer = send("130101020304").first.map(hex), answer.count >= 14 else { return [] }
        let whole = KBeaconDigest.whole(session.address, answer[2..<6], password)
        return send(
            answer[1] == 0x0B ? [0x13, 0x0C] + KBeaconDigest.folded(whole) : [0x13, 0x02] + whole)
    }

    /// Ends the link, and starts the next one with a session.
    mutating func linkAgain(_ password: String = KBeaconDescription.factoryPassword) -> [String] {
        session.disconnect(at: now)
        session.connect()
        return authenticate(password)
    }

    /// The answer to a message, or the cause instead.
    mutating func tell(_ text: String) -> String {
        do throws(KBeaconCause) {
            return try session.message(Array(text.utf8), at: now).map {
                String(decoding: $0, as: UTF8.self)
            } ?? "nothing"
        } catch { return HexText.digits(error.rawValue) }
    }

    /// The count of each broken rule.
    var broken: [KBeaconRule: Int] { session.statistics.brokenRules }
}

/// The bytes of a text, in hexadecimal.
func digits(_ text: String) -> String { HexText.encode(text.utf8) }
