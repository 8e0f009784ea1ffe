import BluetoothTypes
import SimulatedDevice

extension ScenarioFile {
    /// An application that takes updates itself.
    struct Receiver: Decodable {
        var revision: String?
        var updatedRevision: String?
        var services: String?
        var isSwitchedOff: Bool?
        var answersActivation: Bool?
        var answersEveryPacket: Bool?
        var keepsState: Bool?

        enum CodingKeys: String, CodingKey, CaseIterable {
            case revision, services
            case updatedRevision = "updated_revision"
            case isSwitchedOff = "switched_off"
            case answersActivation = "answers_activation"
            case answersEveryPacket = "answers_every_packet"
            case keepsState = "keeps_state"
        }

        init(from decoder: any Decoder) throws {
            let keys = try decoder.strictContainer(keyedBy: CodingKeys.self)
            revision = try keys.decodeIfPresent(String.self, forKey: .revision)
            updatedRevision = try keys.decodeIfPresent(String.self, forKey: .updatedRevision)
            services = try keys.decodeIfPresent(String.self, forKey: .services)
            isSwitchedOff = try keys.decodeIfPresent(Bool.self, forKey: .isSwitchedOff)
            answersActivation = try keys.decodeIfPresent(Bool.self, forKey: .answersActivation)
            answersEveryPacket = try keys.decodeIfPresent(Bool.self, forKey: .answersEveryPacket)
            keepsState = try keys.decodeIfPresent(Bool.self, forKey: .keepsState)
        }
    }
}

extension BeaconDescription {
    /// Makes the application take updates itself, as the file says.
    mutating func takeUpdates(_ file: ScenarioFile.Receiver) throws(Scenario.Flaw) {
        var receiver = ApplicationReceiver()
        receiver.updatedRevision = file.updatedRevision
        if let word = file.services {
            guard let known = ApplicationReceiver.Surroundings(rawValue: word) else {
                throw Scenario.Flaw(text: "\(address): services is full or information, not \(word)")
            }
            receiver.surroundings = known
        }
        receiver.isSwitchedOff = file.isSwitchedOff ?? false
        receiver.answersActivation = file.answersActivation ?? false
        receiver.answersEveryPacket = file.answersEveryPacket ?? false
        receiver.keepsState = file.keepsState ?? false
        if let revision = file.revision { firmwareRevision = .text(revision) }
        takeUpdates(receiver)
    }
}
