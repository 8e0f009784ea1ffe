import Bluetooth
import Bytes

/// A KBeacon's session, which guards Nordic's entry into the bootloader (kbeacon.md, Attributes, Update).
extension NordicDevice {
    /// Whether it has switched itself off.
    var isSwitchedOff: Bool { program == .application && kbeacon?.memory.isOff == true }

    /// When the session next reports something by itself.
    public var announcementDue: Duration? { program == .application ? kbeacon?.announcementDue : nil }

    /// Reports it.
    public mutating func announce(by server: inout AttributeServer, at now: Duration) -> [BeaconReaction] {
        let isHeard = server.isSubscribed(to: AttributeTable.kbeaconEvents)
        return reactions(kbeacon?.announce(isHeard: isHeard, at: now) ?? [])
    }

    /// Starts the session if the application runs.
    mutating func startSession() {
        guard program == .application, kbeacon != nil else { return }
        let (checksum, version) = (CRC32.checksum(bootloader.applicationImage), runningVersion)
        kbeacon?.start(application: checksum, version: version)
    }

    /// The application's reaction to a packet.
    mutating func converse(
        _ packet: [UInt8], by server: inout AttributeServer, at now: Duration
    ) -> [BeaconReaction] {
        let outcome = server.receive(packet)
        switch outcome.event {
        case .written(let value, AttributeTable.kbeaconWrite),
            .commanded(let value, AttributeTable.kbeaconWrite):
            kbeacon?.room = server.agreedMTU - 3
            let isHeard = server.isSubscribed(to: AttributeTable.kbeaconAnswers)
            let answer = outcome.answer.map { [BeaconReaction.send($0, at: now)] } ?? []
            return answer + reactions(kbeacon?.receive(value, isHeard: isHeard, at: now) ?? [])
        case .written(_, description.entryCharacteristic) where kbeacon?.letsEnter() == false:
            return [.send(AttributeServer.refusal(of: packet, code: Self.forbidden), at: now)]
        case .confirmed where kbeacon?.confirmed() == true: return []
        default: return carryOut(outcome, of: packet, by: server, at: now)
        }
    }

    /// Insufficient authorization.
    private static let forbidden = AttributeRefusal.insufficientAuthorization

    private func reactions(_ reactions: [KBeaconReaction]) -> [BeaconReaction] {
        reactions.map {
            switch $0 {
            case .notify(let value, let due):
                .notify(value, from: AttributeTable.kbeaconAnswers, mayIndicate: false, at: due)
            case .indicate(let value, let due):
                .notify(value, from: AttributeTable.kbeaconEvents, mayIndicate: true, at: due)
            case .disconnect(let due): .disconnect(at: due)
            }
        }
    }
}

extension KBeaconSession {
    /// Whether a write that requests the bootloader is accepted.
    mutating func letsEnter() -> Bool {
        if link.stage == .refused { statistics.writesAfterRefusal += 1 }
        if isAuthenticated { return !description.buttonlessRefusesSession }
        guard description.buttonlessNeedsSession else { return true }
        statistics.note(.commandBeforeSession)
        return false
    }
}
