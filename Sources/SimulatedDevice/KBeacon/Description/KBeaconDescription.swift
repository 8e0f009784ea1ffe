/// The session of a KBeacon to be simulated: what it says of itself, and how it says it (kbeacon.md).
public struct KBeaconDescription: Hashable, Sendable {
    /// Which words its session has.
    public var generation: KBeaconGeneration
    /// What it calls its model.
    public var model: String
    /// What the application that it begins with calls its version.
    public var version = "V6.20"
    /// What an application that is installed later calls its own; nil for its number / 100 and % 100: 631 is `V6.31`.
    public var updatedVersion: String?
    /// What it calls its hardware.
    public var hardware = "V3.0"
    /// Its battery in percent; genuine ones say up to 109. The first generation does not tell.
    public var battery: UInt8 = 100
    /// Its serial number; nil where the firmware tells none.
    public var serial: String?
    /// What there is in it, as `bCap` (Capabilities).
    public var capabilities: UInt32
    /// Which triggers there are, as `trCap`; the second generation has bit n - 1 for trigger n.
    public var triggerCapabilities: UInt64
    /// The powers that it can send with, in dBm.
    public var powers: ClosedRange<Int> = -40...4
    /// How many adverts it can have; second generation.
    public var slots = 5
    /// How many triggers it can have; second generation.
    public var triggers = 5
    /// The password at first, 8 to 16 bytes.
    public var password = Self.factoryPassword
    /// What it is called after a reset to defaults.
    public var factoryName = "KBPro_000000"
    /// What it is found with beside its usual settings, or in place of them: the text of a JSON object in the words of
    /// `cfg`, with any keys and any values, which are taken as they are.
    public var settings: String?
    /// Whether the settings outlive an update.
    public var keepsSettings = true
    /// Whether nobody is let into the bootloader without the password.
    public var buttonlessNeedsSession = false
    /// Whether nobody is let into it over a link that has a session.
    public var buttonlessRefusesSession = false
    /// What follows from it: the numbers of the handshake, and what sensors have recorded.
    public var seed: UInt64 = 0
    /// What becomes of a first-generation beacon that is read with the words of the second one.
    public var foreignRead = ForeignRead.silence
    /// How many commands of each link find it busy.
    public var busyCommands = 0
    /// Whether a beep is acknowledged where there is nothing to beep with.
    public var acceptsImpossibleBeeps = false
    /// Whether the System ID is 8 bytes long, with two in the middle that say nothing.
    public var fillsSystemID = false
    /// How its handshake goes.
    public var handshake = KBeaconHandshakeStyle()
    /// How its answers go.
    public var answers = KBeaconAnswerStyle()
    /// What its sensors have recorded.
    public var history: [KBeaconHistory] = []
    /// What happens to it while somebody has a session.
    public var events: [KBeaconEvent] = []

    /// The password that all leave the factory with.
    public static let factoryPassword = String(repeating: "0", count: 16)

    /// The usual beacon of a generation.
    public init(_ generation: KBeaconGeneration) {
        self.generation = generation
        switch generation {
        case .first:
            model = "K11_NRF52XX"
            capabilities = 0x1F0F
            triggerCapabilities = 0x0F
        case .second:
            model = "KBPro"
            capabilities = 0x8_FF0F
            triggerCapabilities = 0x083F
        }
    }

    /// What the first generation does about words that it may not know (Generations).
    public enum ForeignRead: String, Hashable, Sendable, CaseIterable {
        /// Nothing.
        case silence
        /// It refuses.
        case refusal
    }

    /// What the application calls its version.
    func version(isUpdated: Bool, number: UInt32) -> String {
        guard isUpdated else { return version }
        let rest = number % 100
        return updatedVersion ?? "V\(number / 100)." + (rest < 10 ? "0\(rest)" : "\(rest)")
    }

    /// Whether bit `number` of `bCap` is there.
    func can(_ number: Int) -> Bool { capabilities >> UInt32(clamping: number) & 1 != 0 }
}
