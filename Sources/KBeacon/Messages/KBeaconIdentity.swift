/// What a KBeacon says of itself in a session (kbeacon.md, Common parameters).
public struct KBeaconIdentity: Equatable, Sendable {
    /// By the name of the model's key: the first one has it misspelt.
    public let generation: KBeaconGeneration
    /// The model, as in `K11_NRF52XX`.
    public let model: String
    /// The firmware, without the `V` before it.
    public let version: String?
    /// The hardware, likewise.
    public let hardware: String?
    /// What it is called.
    public let name: String?
    /// In percent, where it says so; some say more than 100.
    public let battery: UInt8?
    /// The serial number.
    public let serialNumber: String?
    /// What it can.
    public let capabilities: KBeaconCapabilities?
    /// The set of triggers that it has, by bits.
    let triggers: Int
    /// The least and the most power that it sends with, in dBm, where it says so.
    public let power: ClosedRange<Int>?

    /// Reads the answer to the question for what all beacons have; nil where no model is in it.
    public init?(answer: some Collection<UInt8>) {
        guard let members = JSONValue.members(inAnswer: answer) else { return nil }
        if let model = members["model"]?.text {
            (generation, self.model) = (.second, model)
        } else if let model = members["modle"]?.text {
            (generation, self.model) = (.first, model)
        } else {
            return nil
        }
        version = members["ver"]?.text.map(Self.withoutLetter)
        hardware = members["hver"]?.text.map(Self.withoutLetter)
        name = (members["name"] ?? members["devName"])?.text
        battery = members["btPt"]?.integer.flatMap { $0 < 0 ? nil : UInt8(min($0, 100)) }
        // The makers' applications expect a number.
        serialNumber = members["id"].flatMap { $0.text ?? $0.integer.map { "\($0)" } }
        triggers = members["trCap"]?.integer ?? 0
        if let least = members["minPwr"]?.integer, let most = members["maxPwr"]?.integer, least <= most {
            power = least...most
        } else {
            power = nil
        }
        capabilities = members["bCap"]?.integer.map { [generation] in KBeaconCapabilities($0, generation) }
    }

    private static func withoutLetter(_ text: String) -> String {
        text.first == "V" || text.first == "v" ? String(text.dropFirst()) : text
    }

    /// Why the beacon takes no updates over the air; nil where it does (kbeacon.md, Update).
    public var updateRefusal: String? {
        switch generation {
        case .first where !model.contains("NRF52XX"):
            "its model is \(model), and only those with NRF52XX in it take updates"
        case .first where version == nil || hardware == nil:
            "it does not say its \(version == nil ? "firmware" : "hardware")"
        case .second where capabilities?.takesUpdates != true:
            capabilities == nil
                ? "it does not say what it can" : "it says that it cannot be updated over the air"
        default: nil
        }
    }
}
