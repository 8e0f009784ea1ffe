package import Bluetooth
package import UpdateModel

/// Sessions with Orange Beacon Tags (orange-beacon-tag.md): reading and writing characteristics, without a
/// password, for a limited time after their button was pressed.
package struct OrangeTagSession: SessionKind {
    package init() {}

    /// Each write is acknowledged; no other pause is needed.
    package var leastInterval: Duration { .zero }
    package func opening(to address: DeviceAddress) -> OrangeTagOpening { OrangeTagOpening() }
}

/// Checks that a beacon is a tag, and reads its firmware version.
package struct OrangeTagOpening: SessionDialogue {
    package typealias Failure = SessionFailure

    private var isTag = false

    package mutating func begin(on link: LinkFacts) -> DialogueStep<OrangeTagFacts, Never> {
        isTag = false
        return DialogueStep(.find(OrangeTagValue.uuid.characteristic))
    }

    package mutating func note(_ times: CommandTimes) {}

    package mutating func advance(
        after outcome: DialogueOutcome
    ) throws(SessionFailure) -> DialogueStep<OrangeTagFacts, Never> {
        switch outcome {
        case .done where !isTag:
            isTag = true
            return DialogueStep(.readIfAllowed(.firmwareRevision))
        case .value(let text) where isTag:
            return DialogueStep(.end(OrangeTagFacts(firmware: String(characteristicValue: text))))
        case .absent where isTag: return DialogueStep(.end(OrangeTagFacts(firmware: nil)))
        default:
            throw SessionFailure(
                .session.notOffered, during: "opening the session",
                "not an Orange Beacon Tag: its service is missing")
        }
    }
}

package struct OrangeTagFacts: Equatable, Sendable {
    package let firmware: String?

    package init(firmware: String?) { self.firmware = firmware }
}
