import Bytes

extension NordicDescription {
    /// Makes the application accept updates itself, as `file` specifies (docs/scenarios.md).
    mutating func takeUpdates(_ file: YAMLValue) throws(YAMLProblem) {
        let values = try file.values(of: [
            "revision", "updated_revision", "services", "switched_off", "answers_activation",
            "answers_every_packet", "keeps_state",
        ])
        var receiver = ApplicationReceiver()
        receiver.updatedRevision = try values["updated_revision"]?.text()
        receiver.otherServices =
            try values["services"]?.choice(of: ApplicationReceiver.OtherServices.allCases.named)
            ?? receiver.otherServices
        receiver.isSwitchedOff = try values["switched_off"]?.truth() ?? false
        receiver.answersActivation = try values["answers_activation"]?.truth() ?? false
        receiver.answersEveryPacket = try values["answers_every_packet"]?.truth() ?? false
        receiver.keepsState = try values["keeps_state"]?.truth() ?? false
        if let revision = try values["revision"]?.text() { firmwareRevision = .text(revision) }
        takeUpdates(receiver)
    }
}
