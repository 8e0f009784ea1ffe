import BluetoothTypes

/// The PIN that a Feasycom beacon on a Dialog chip wants before it takes an update (fbeacon.md, Products, PIN). Until it is told,
/// writes to the service of SUOTA are refused with the ATT error 08; that is our choice, since public sources do not say how.
struct SUOTAGate: Hashable, Sendable {
    static let refusal: UInt8 = 0x08
    private static let opening = Array("$OpenFscAtEngine$".utf8)

    private let access: FBeaconAccess
    private var session: FBeaconSession
    /// PINs that were told, and those among them that were another one.
    private(set) var tries = 0
    private(set) var wrongTries = 0

    /// Open with `pin` alone; always, where there is none.
    init(_ pin: String?) {
        var access = FBeaconAccess()
        access.pin = pin
        (self.access, session) = (access, FBeaconSession(access))
    }

    /// Whether writes to the service of SUOTA are taken over this link.
    var isOpen: Bool { session.isTrusted }

    /// A link begins.
    mutating func connect() { session = FBeaconSession(access) }

    /// The answers to what is written to FFF2.
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
