/// The session of a simulated KBeacon: its identity and its behaviour (kbeacon.md).
public struct KBeaconDescription: Hashable, Sendable {
    /// The generation, which determines the keys of its messages.
    public var generation: KBeaconGeneration
    /// Its model name.
    public var model: String
    /// The version text of the factory application.
    public var version = "V6.20"
    /// The version text of an application installed later; nil derives it from the number as / 100 and % 100: 631 is
    /// `V6.31`.
    public var updatedVersion: String?
    /// Its hardware version.
    public var hardware = "V3.0"
    /// The battery level in percent; genuine beacons report up to 109. The first generation does not report it.
    public var battery: UInt8 = 100
    /// Its serial number; nil if the firmware reports none.
    public var serial: String?
    /// The features of the beacon, as in `bCap` (Capabilities).
    public var capabilities: UInt32
    /// The triggers of the beacon, as in `trCap`; in the second generation, bit n - 1 is for trigger n.
    public var triggerCapabilities: UInt64
    /// The TX powers that it supports, in dBm.
    public var powers: ClosedRange<Int> = -40...4
    /// The maximum number of adverts; second generation.
    public var slots = 5
    /// The maximum number of triggers; second generation.
    public var triggers = 5
    /// The factory password, 8 to 16 bytes.
    public var password = Self.factoryPassword
    /// Its name after a reset to defaults.
    public var factoryName = "KBPro_000000"
    /// Settings that differ from the defaults, or are added to them: a JSON object with the keys of `cfg`. Any keys and
    /// values are accepted as they are.
    public var settings: String?
    /// Whether the settings survive an update.
    public var keepsSettings = true
    /// Whether entering the bootloader requires the password.
    public var buttonlessNeedsSession = false
    /// Whether entering the bootloader is refused over a link with a session.
    public var buttonlessRefusesSession = false
    /// The seed of the handshake numbers and the sensor records.
    public var seed: UInt64 = 0
    /// How a first-generation beacon reacts to a read request of the second generation.
    public var foreignRead = ForeignRead.silence
    /// The number of commands at the start of each link that it refuses as busy.
    public var busyCommands = 0
    /// Whether a beep is acknowledged by a beacon without a buzzer.
    public var acceptsImpossibleBeeps = false
    /// Whether the System ID has 8 bytes, with two meaningless ones in the middle.
    public var fillsSystemID = false
    /// The style of its handshake.
    public var handshake = KBeaconHandshakeStyle()
    /// The style of its responses.
    public var answers = KBeaconAnswerStyle()
    /// The records of its sensors.
    public var history: [KBeaconHistory] = []
    /// The events during a session.
    public var events: [KBeaconEvent] = []

    /// The factory password of all KBeacons.
    public static let factoryPassword = String(repeating: "0", count: 16)

    /// The default beacon of a generation.
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

    /// How the first generation reacts to unknown keys (Generations).
    public enum ForeignRead: String, Hashable, Sendable, CaseIterable {
        /// No response.
        case silence
        case refusal
    }

    /// The version text of the application.
    func version(isUpdated: Bool, number: UInt32) -> String {
        guard isUpdated else { return version }
        let rest = number % 100
        return updatedVersion ?? "V\(number / 100)." + (rest < 10 ? "0\(rest)" : "\(rest)")
    }

    /// Whether bit `number` of `bCap` is set.
    func can(_ number: Int) -> Bool { capabilities >> UInt32(clamping: number) & 1 != 0 }
}

/// The generation of a KBeacon, which determines the keys of its messages (kbeacon.md, Messages, Generations).
public enum KBeaconGeneration: Int, Hashable, Sendable, CaseIterable {
    /// `stype` and `modle`.
    case first = 1
    /// `type` and `model`.
    case second
}
