import ByteCoding

/// How a Feasycom beacon begins an update (fbeacon.md, Entering).
public struct FBeaconEntry: Hashable, Sendable {
    /// The digit of EnterDFU that asks for the default settings after the update; nil where neither does. The public
    /// sources disagree.
    public var restoringDigit: UInt8?
    /// How the mark of open containers tells that: as a character, or 0.
    var restoringCharacter: UInt8 { restoringDigit.map { $0 + 0x30 } ?? 0 }
    /// What it says in place of going into an update.
    public var refusal: String?
    /// How much of its answer it sends; with less than all of it, it does not go into an update.
    public var length: Int?
    /// The version that it claims; nil for the one that is installed.
    public var version: UInt16?
    /// The model that it claims; nil for what it is.
    public var model: UInt16?
    /// Whether the update goes on over the same link; nil where the model says so.
    public var staysConnected: Bool?
    /// When it ends the link itself where it does not go on and the client has not ended it.
    public var linkEndsAfter = Duration.seconds(2)

    /// As a genuine one does.
    public init() {}

    /// The models that go on over the same link.
    static let stayingModels: Set<UInt8> = [12, 15, 19, 20, 23, 24, 32, 34, 37, 40, 47, 49, 50]

    /// `OK`, and three fields of four digits, the low byte first.
    func answer(version: UInt16, bootloader: UInt16, model: UInt16) -> String {
        [self.version ?? version, bootloader, self.model ?? model].reduce("OK,") { text, field in
            text + [UInt8](field, .little).reduce("") { $0 + Self.digits($1 >> 4) + Self.digits($1 & 15) }
        }
    }

    private static func digits(_ nibble: UInt8) -> String { String(nibble, radix: 16, uppercase: true) }
}
