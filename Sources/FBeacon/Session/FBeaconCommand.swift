import Sessions

/// A command to a Feasycom beacon's AT engine, and what its answer looks like (fbeacon.md, Commands).
public struct FBeaconCommand: Sendable {
    enum Answer: Equatable, Sendable {
        /// A text with `Opened` in it.
        case opening
        /// A line that begins with one of these, and `OK` after it.
        case value(prefixes: [String])
        /// Lines of which the first begins with this, and `OK` after them.
        case lines(prefix: String)
        /// `OK`.
        case acknowledgement
    }

    /// What it is called: all that is ever told of it.
    let name: String
    /// What is written. It may have a PIN in it.
    let bytes: Secret
    let answer: Answer

    private init(_ name: String, _ text: String, _ answer: Answer) {
        (self.name, bytes, self.answer) = (name, Secret(text), answer)
    }

    /// Opens the AT engine.
    static let open = FBeaconCommand("opening the AT engine", "$OpenFscAtEngine$", .opening)

    /// What shows that a PIN is known; nil where `pin` is none, which is digits only.
    static func pin(_ pin: Secret) -> FBeaconCommand? {
        guard !pin.bytes.isEmpty, pin.bytes.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return FBeaconCommand(
            "AT+PIN", "AT+PIN=\(String(decoding: pin.bytes, as: UTF8.self))\r\n", .acknowledgement)
    }

    /// Asks for what is called `name`; nil where that is no name of a command.
    public static func asking(for name: String) -> FBeaconCommand? {
        isName(name) ? asking(for: name, answeredBy: ["+\(name)="]) : nil
    }

    /// Asks for what is called `name`, which is a name of a command; the line of the answer begins with one of `prefixes`.
    static func asking(for name: String, answeredBy prefixes: [String]) -> FBeaconCommand {
        FBeaconCommand("AT+\(name)", "AT+\(name)\r\n", .value(prefixes: prefixes))
    }

    /// Brings back the settings of the factory; the beacon starts again (fbeacon.md, Restoring).
    public static let restore = FBeaconCommand("AT+RESTORE", "AT+RESTORE\r\n", .acknowledgement)

    /// Asks for what is called `name`, which is a name of a command, and has a line for each of its values.
    static func asking(forLinesOf name: String) -> FBeaconCommand {
        FBeaconCommand("AT+\(name)", "AT+\(name)\r\n", .lines(prefix: "+\(name)="))
    }

    /// Has the light on for so many milliseconds.
    static func setting(lightFor milliseconds: UInt32) -> FBeaconCommand {
        FBeaconCommand("AT+LED", "AT+LED=\(milliseconds)\r\n", .acknowledgement)
    }

    /// Sounds the buzzer, or silences it.
    static func sounding(_ sounds: Bool) -> FBeaconCommand {
        FBeaconCommand("AT+BUZ", sounds ? "AT+BUZ=1,100\r\n" : "AT+BUZ=0\r\n", .acknowledgement)
    }

    /// Sets what is called `name` to `value`; nil where that is no name of a command, or no text in one line.
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
