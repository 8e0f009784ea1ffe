import Bluetooth

/// The PIN that a Feasycom beacon on a Dialog chip requires before an update (fbeacon.md, Products, PIN). Until it is
/// sent, writes to the SUOTA service are refused with ATT error 08; that is our choice, since public sources do not
/// define it.
struct SUOTAGate: Hashable, Sendable {
    static let refusal: UInt8 = 0x08
    private static let opening = Array("$OpenFscAtEngine$".utf8)

    private let access: FBeaconAccess
    private var session: FBeaconSession
    /// The number of PINs that were tried, and of wrong ones among them.
    private(set) var tries = 0
    private(set) var wrongTries = 0

    /// A gate that opens with `pin` alone; always open if nil.
    init(_ pin: String?) {
        var access = FBeaconAccess()
        access.pin = pin
        (self.access, session) = (access, FBeaconSession(access))
    }

    /// Whether writes to the SUOTA service are accepted over this link.
    var isOpen: Bool { session.isTrusted }

    /// Starts a link.
    mutating func connect() { session = FBeaconSession(access) }

    /// The responses to a write to FFF2.
    mutating func answers(to value: [UInt8]) -> [String] {
        if value == Self.opening {
            session.isOpen = true
            return ["$OK,Opened$"]
        }
        guard session.isOpen else { return [] }
        let (lines, isEndless) = session.commands(in: value)
        return lines.filter { !$0.isEmpty }.map { answer(to: String(decoding: $0, as: UTF8.self)) }
            + (isEndless ? [FBeaconAnswers.error] : [])
    }

    private mutating func answer(to command: String) -> String {
        guard command.hasPrefix("AT+PIN=") else {
            return command == "AT" && isOpen ? FBeaconAnswers.done : FBeaconAnswers.error
        }
        tries += 1
        session.isTrusted = command.dropFirst(7) == access.pin ?? ""
        if !session.isTrusted { wrongTries += 1 }
        return session.isTrusted ? FBeaconAnswers.done : FBeaconAnswers.error
    }
}
