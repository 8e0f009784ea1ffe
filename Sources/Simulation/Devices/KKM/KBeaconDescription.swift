/// The session of a simulated KBeacon: its identity and its behaviour (kbeacon.md).
package struct KBeaconDescription: Hashable, Sendable {
    package var generation: KBeaconGeneration
    package var model: String
    package var version = "V6.20"
    /// The version text of an application installed later; nil derives it from the number: 631 is `V6.31`.
    package var updatedVersion: String?
    package var hardware = "V3.0"
    /// The battery level in percent; genuine beacons report up to 109. The first generation does not report it.
    package var battery: UInt8 = 100
    package var serial: String?
    /// The features of the beacon, as in `bCap` (Capabilities).
    package var capabilities: UInt32
    /// The triggers of the beacon, as in `trCap`; in the second generation, bit n - 1 is for trigger n.
    package var triggerCapabilities: UInt64
    /// The possible TX powers, in dBm.
    package var powers: ClosedRange<Int> = -40...4
    /// The maximum number of adverts; second generation.
    package var slots = 5
    package var triggers = 5
    package var password = Self.factoryPassword
    package var factoryName = "KBPro_000000"
    /// Settings that differ from the defaults, or are added to them: a JSON object with the keys of `cfg`. Any keys and
    /// values are accepted as they are.
    package var settings: String?
    /// Whether the settings survive an update.
    package var keepsSettings = true
    /// Whether the entry into the bootloader is refused without a session, and whether it is refused in a session.
    package var buttonlessNeedsSession = false
    package var buttonlessRefusesSession = false
    /// The seed of the handshake's numbers and of invented records.
    package var seed: UInt64 = 0
    /// How a first-generation beacon reacts to a read request of the second generation.
    package var foreignRead = ForeignRead.silence
    /// The number of commands at the start of each link that it refuses as busy.
    package var busyCommands = 0
    /// Whether a request to beep is accepted although the beacon has no buzzer.
    package var acceptsImpossibleBeeps = false
    package var fillsSystemID = false
    package var handshake = KBeaconHandshakeStyle()
    package var answers = KBeaconAnswerStyle()
    package var history: [KBeaconHistory] = []
    package var events: [KBeaconEvent] = []

    package static let factoryPassword = String(repeating: "0", count: 16)

    package init(_ generation: KBeaconGeneration) {
        self.generation = generation
        (model, capabilities, triggerCapabilities) =
            generation == .first ? ("K11_NRF52XX", 0x1F0F, 0x0F) : ("KBPro", 0x8_FF0F, 0x083F)
    }

    /// How the first generation reacts to keys of the second (Generations).
    package enum ForeignRead: String, Hashable, Sendable, CaseIterable { case silence, refusal }

    var nameKey: String { generation == .first ? "devName" : "name" }

    func version(isUpdated: Bool, number: UInt32) -> String {
        guard isUpdated else { return version }
        let rest = number % 100
        return updatedVersion ?? "V\(number / 100)." + (rest < 10 ? "0\(rest)" : "\(rest)")
    }

    /// Whether bit `number` of `bCap` is set.
    func can(_ number: Int) -> Bool { capabilities >> UInt32(clamping: number) & 1 != 0 }
}

/// The generation of a KBeacon, which determines the keys of its messages (kbeacon.md, Messages, Generations).
package enum KBeaconGeneration: Int, Hashable, Sendable, CaseIterable {
    /// `stype` and `modle`.
    case first = 1
    /// `type` and `model`.
    case second
}

/// The style of a KBeacon's handshake (kbeacon.md, Handshake).
package struct KBeaconHandshakeStyle: Hashable, Sendable {
    package var maximumMTU = 247
    /// Whether its digests are folded to 8 bytes even if 16 would fit.
    package var foldsDigests = false
    /// Whether the last step contains the largest MTU; without it, no write may exceed 20 bytes.
    package var reportsMTU = true
    /// The low four bits of the first byte of its steps, which have no meaning.
    package var tag: UInt8 = 3
}

/// The style of a KBeacon's acknowledgements and responses (kbeacon.md, Acks).
package struct KBeaconAnswerStyle: Hashable, Sendable {
    package enum Shape: String, Hashable, Sendable, CaseIterable {
        /// The response is in the acknowledgement if it fits there; otherwise as with `split`.
        case inline
        case report
        /// The first piece is in the acknowledgement, the others are in reports.
        case split
        /// The response is in reports: records of the second generation in several frames, anything else in one frame.
        case frames
    }

    /// When the final acknowledgement is sent: after `endingDelay`, at once, before the last piece, or never.
    package enum Ending: String, Hashable, Sendable, CaseIterable {
        case late
        case atOnce = "at_once"
        case early
        case never
    }

    package enum Length: Hashable, Sendable {
        case plain
        case longer(Int)
        case endless
    }

    package var shape = Shape.inline
    /// Where a binary response is sent. With `frames`, the summary of records is still in an acknowledgement.
    package var records = Shape.frames
    /// The maximum number of records in a frame, if there are several frames.
    package var recordsInFrame = 4
    package var ending = Ending.late
    package var endingDelay = Duration.milliseconds(100)
    /// Whether the second generation's binary responses end with cause 0, instead of 6.
    package var endsWithDone = false
    /// The longest piece of a response in bytes; nil for what the MTU allows.
    package var pieceSize: Int?
    /// Whether it waits for the acknowledgement of a piece before it sends the next one.
    package var waits = true
    /// The window in the acknowledgements that request more.
    package var window: UInt16 = 1000
    package var length = Length.plain
    /// The number of acknowledgements with cause 7 before the response, `executionTime` apart.
    package var moreFrames = 0
    package var executionTime = Duration.seconds(1)
    /// The number of log reports before each response.
    package var logs = 0
    /// The time from a write to its acknowledgement.
    package var delay = Duration.milliseconds(5)
}
