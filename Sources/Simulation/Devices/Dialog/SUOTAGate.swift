/// The PIN that a Feasycom beacon on a Dialog chip requires before an update (fbeacon.md, Products, PIN). Until it is
/// sent, writes to the SUOTA service are refused with ATT error 0x08; public sources define no code, so we chose it.
struct SUOTAGate: Hashable, Sendable {
    static let refusal: UInt8 = 0x08

    private let access: FBeaconAccess
    private var session: FBeaconSession

    init(_ pin: String?) {
        access = FBeaconAccess(pin: pin)
        session = FBeaconSession(access)
    }

    var isOpen: Bool { session.isTrusted }

    mutating func connect() { session = FBeaconSession(access) }

    mutating func answers(to value: [UInt8]) -> [String] {
        if value == FBeaconSession.opening {
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
        session.isTrusted = command.dropFirst(7) == access.pin ?? ""
        return session.isTrusted ? FBeaconAnswers.done : FBeaconAnswers.error
    }
}
