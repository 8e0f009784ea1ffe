package import UpdateModel

/// Reads all settings of a KBeacon (kbeacon.md, Common parameters, Other parameters).
package typealias KBeaconSettingsReading = MappedDialogue<KBeaconExchanges, KBeaconSettings>

extension KBeaconSettings {
    /// Reads all settings.
    package static func reading(of peer: KBeaconQuery.Peer) -> KBeaconSettingsReading {
        let generation = peer.identity.generation
        let questions = Self.questions(generation, triggers: peer.identity.triggers)
        let subjects = questions.map { $0.subject }
        let exchanges = KBeaconExchanges(questions.map { $0.message }, on: peer.terms)
        return MappedDialogue(exchanges) { (answers) throws(SessionFailure) in
            var settings = KBeaconSettings(generation)
            for (answer, subject) in zip(answers, subjects) {
                guard let answer else {
                    settings.unread[subject] = "the beacon refused the query"
                    continue
                }
                guard settings.take(answer) else {
                    throw SessionFailure(
                        .session.answerMalformed, during: "reading the settings",
                        "the answer of \(answer.count) bytes is not a JSON object, or has more than 24 levels"
                    )
                }
            }
            return settings
        }
    }
}
