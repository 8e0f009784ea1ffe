import UpdateModel

/// A command to a Feasycom beacon's AT engine, with the form of its answer (fbeacon.md, Commands).
public struct FBeaconCommand: Sendable {
    enum Answer: Equatable, Sendable {
        /// A text with `Opened` in it.
        case opening
        /// A line that begins with one of `prefixes`, and later a line `OK`.
        case value(prefixes: [String])
        /// Lines of which the first begins with `prefix`, then a line `OK`.
        case lines(prefix: String)
        case acknowledgement
    }

    /// The command's name, the only part of it that messages contain.
    let name: String
    /// The bytes to write. They may include a PIN.
    let bytes: Secret
    let answer: Answer

    private init(_ name: String, _ text: String, _ answer: Answer) {
        (self.name, bytes, self.answer) = (name, Secret(text), answer)
    }

    static let open = FBeaconCommand("opening the AT engine", "$OpenFscAtEngine$", .opening)

    /// Sends the PIN; nil unless `pin` is digits only.
    static func pin(_ pin: Secret) -> FBeaconCommand? {
        guard !pin.bytes.isEmpty, pin.bytes.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return FBeaconCommand(
            "AT+PIN", "AT+PIN=\(String(decoding: pin.bytes, as: UTF8.self))\r\n", .acknowledgement)
    }

    /// Reads the value `name`; nil unless it is a valid command name.
    public static func asking(for name: String) -> FBeaconCommand? {
        isName(name) ? asking(for: name, answeredBy: ["+\(name)="]) : nil
    }

    /// Reads the value `name`, which must be a valid command name; the answer's line begins with one of `prefixes`.
    static func asking(for name: String, answeredBy prefixes: [String]) -> FBeaconCommand {
        FBeaconCommand("AT+\(name)", "AT+\(name)\r\n", .value(prefixes: prefixes))
    }

    /// Restores the factory settings; the beacon restarts (fbeacon.md, Restoring).
    public static let restore = FBeaconCommand("AT+RESTORE", "AT+RESTORE\r\n", .acknowledgement)

    /// Reads the values of `name`, which must be a valid command name, one line each.
    static func asking(forLinesOf name: String) -> FBeaconCommand {
        FBeaconCommand("AT+\(name)", "AT+\(name)\r\n", .lines(prefix: "+\(name)="))
    }

    /// Switches the light on for `milliseconds`, which the beacon stores as a setting.
    static func setting(lightFor milliseconds: UInt32) -> FBeaconCommand {
        FBeaconCommand("AT+LED", "AT+LED=\(milliseconds)\r\n", .acknowledgement)
    }

    /// Sounds the buzzer, or silences it.
    static func sounding(_ sounds: Bool) -> FBeaconCommand {
        FBeaconCommand("AT+BUZ", sounds ? "AT+BUZ=1,100\r\n" : "AT+BUZ=0\r\n", .acknowledgement)
    }

    /// Sets `name` to `value`; nil if `name` is not a valid command name, or `value` has control characters.
    public static func setting(_ name: String, to value: String) -> FBeaconCommand? {
        guard isName(name), value.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
            return nil
        }
        return FBeaconCommand("AT+\(name)", "AT+\(name)=\(value)\r\n", .acknowledgement)
    }

    private static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) }
    }
}
