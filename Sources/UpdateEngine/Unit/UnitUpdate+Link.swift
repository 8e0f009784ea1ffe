import Bluetooth
import UpdateModel

enum LinkSummary: Sendable {
    /// The device has everything; it may have ended the link.
    case complete(Completion, hasLeft: Bool)
    case restarting(Restart)
    /// The application responds, or is heard, where another program was expected, and must not be sent to its
    /// bootloader; with the program, if it responded.
    case application(DeviceAddress, showing: Program?)
    case handedOver(BootloaderHandoff, from: DeviceAddress)
    /// The link was lost, or could not be established.
    case lost
    /// The device no longer responds; a new link may help.
    case silent(UpdateFailure)
}

extension UnitUpdate {
    mutating func linked(to program: Program, at address: DeviceAddress) throws(UpdateFailure) -> UnitStep {
        switch program {
        case .unrelated where address == candidates.alternative:
            tell(.log("\(address) is the bootloader of another beacon"))
            candidates.alternative = nil
            return disconnect(.lost)
        case .unrelated: throw strangerAbove(at: address)
        case .application(let entryCharacteristic, let revision):
            seen = DeviceSighting(program: .application, address: address)
            tell(.inApplication)
            guard let entryCharacteristic else { return disconnect(.application(address, showing: program)) }
            guard entries == 0 else { return try leave(address, by: entryCharacteristic) }
            baseline.revision = revision
            return examine(then: .examiningApplication(address, entryCharacteristic: entryCharacteristic))
        case .receiver(let receiver, let revision):
            guard let places = candidates.receiver(at: address) else {
                tell(.log("\(address) is the bootloader of another beacon"))
                candidates.remove([address])
                return disconnect(.lost)
            }
            candidates = places
            seen = DeviceSighting(
                program: updatesInApplication(by: receiver) ? .application : .bootloader, address: address)
            guard proven == nil else { return update(at: address, receiver, revision) }
            note(receiver, revision)
            guard updatesInApplication, !procedure.targetSignature.isAskedByProcedure else {
                return update(at: address, receiver, revision)
            }
            return examine(then: .examiningReceiver(address, receiver, revision))
        }
    }

    private mutating func examine(then state: State) -> UnitStep {
        go(to: state, .examine(version: baseline.revision?.text ?? baseline.advertisedVersion))
    }

    mutating func update(at address: DeviceAddress, _ receiver: Receiver, _ revision: Revision?) -> UnitStep {
        proven = address
        tell(.answered)
        if case .perhapsDone = procedure.linkEnded(), baseline.differs(from: revision, of: receiver) {
            return disconnect(.application(address, showing: .receiver(receiver, revision: revision)))
        }
        noteUnchanged(revision, of: receiver)
        repeating = nil
        procedure.receiver = entries > 0 ? .bootloader : receiver
        return go(to: .updating(address), .update(at: address))
    }

    mutating func updated(_ ending: ConversationResult?, _ hasLeft: Bool) -> UnitStep {
        switch ending {
        case .complete(let completion): disconnect(.complete(completion, hasLeft: hasLeft))
        case .restart(let restart): disconnect(.restarting(restart))
        case nil: disconnect(.lost)
        }
    }

    mutating func disconnect(_ result: LinkSummary) -> UnitStep {
        go(to: .disconnecting(result), .disconnect)
    }

    mutating func disconnected(_ end: LinkOutcome, _ result: LinkSummary) throws(UpdateFailure) -> UnitStep {
        note(end.nearbyScan.others)
        knowsOthers = end.nearbyScan.isComplete
        links.note(end)
        switch end.cause {
        case .asked: return try conclude(result)
        case .lost: return try conclude(.lost)
        case .silent(let failure): return try conclude(.silent(failure))
        }
    }

    mutating func conclude(_ result: LinkSummary) throws(UpdateFailure) -> UnitStep {
        links.count()
        switch result {
        case .complete(let completion, let hasLeft): return try completed(completion, hasLeft: hasLeft)
        case .application(let heard, let program):
            guard case .perhapsDone(let end) = links.endingBefore else {
                throw applicationInTheWay(at: heard)
            }
            guard procedure.targetSignature.advertisedVersion == nil else { return try completed(end) }
            // The result is as expected, but the device never confirmed the image.
            return finish(.success(try unconfirmedProof(in: program, end, at: heard)))
        case .handedOver(let handoff, let application): return follow(handoff, from: application)
        case .restarting(let restart):
            seen.program = .unknown
            links.forgive()
            noteRestart()
            repeating = restart.repeating
            if let reason = restart.repeating { tell(.notice(.retry(reason: reason.code, from: 0))) }
            return rest(atLeast: restart.pause)
        case .silent(let failure):
            guard links.fruitless < order.policy.fruitlessLinks else { throw failure }
            tell(.notice(.retry(reason: failure.code, from: resumePoint)))
        case .lost:
            if let completion = leaving { return try completed(completion, isLost: true) }
            if case .refused(let failure) = procedure.linkEnded() { throw failure }
            let isUnanswered = approach == .inaudible && proven == nil
            // If a new device may be the bootloader, one attempt to reach a silent one is enough.
            let most = isUnanswered && !arrivals.isEmpty ? 1 : order.policy.fruitlessLinks
            guard links.fruitless < most else { throw lostForGood() }
            let reason: FailureCode =
                isUnanswered ? .device.connectionNotEstablished : .device.linkLost
            tell(.notice(.retry(reason: reason, from: resumePoint)))
        }
        return rest()
    }

    mutating func rest(atLeast least: Duration = .zero) -> UnitStep {
        go(to: .resting, .rest(max(least, order.policy.pause(after: links.fruitless))))
    }

    /// Whether another program may run after a link has ended. An application that was not told to leave appears
    /// unchanged; a bootloader may start the application.
    var mayChangeProgram: Bool { proven != nil || entries > 0 }

    /// The byte offset where the firmware resumes.
    private var resumePoint: Int { procedure.goesOn ? links.accepted : 0 }

    /// The completion of an update that an application took, if it has confirmed the image and only the link with the
    /// restart request was lost; otherwise nil.
    private var leaving: Completion? {
        guard updatesInApplication, case .perhapsDone(let end) = procedure.linkEnded(), end.isConfirmed
        else { return nil }
        return end
    }

    /// Records that the unit restarts, after which its bootloader may have another address.
    private mutating func noteRestart() {
        // A bootloader selected for a silent application already has the higher address.
        guard procedure.mayMove, order.neighbours.absent == nil else { return }
        if approach == .inaudible { approach = .search }
        candidates = candidates.afterRestart(others: others)
    }

    /// Records the program that takes the update, which was detected for the first time.
    private mutating func note(_ receiver: Receiver, _ shown: Revision?) {
        baseline.receiver = receiver
        if updatesInApplication {
            baseline.revision = shown
        } else if receiver == .either {
            baseline.revisionOfEither = shown
        }
    }

    /// Whether the application takes the update itself, so that it may be the old one when it is seen again. Once it
    /// was told to start its bootloader, the bootloader takes the update, whatever it looks like.
    var updatesInApplication: Bool { updatesInApplication(by: baseline.receiver) }

    private func updatesInApplication(by receiver: Receiver?) -> Bool {
        procedure.targetSignature.isApplication || receiver == .application && entries == 0
    }
}

struct LinkHistory: Sendable {
    private(set) var tried = 0
    private(set) var hasStood = false
    /// The furthest byte of firmware that the device has accepted.
    private(set) var accepted = 0
    /// Consecutive links without a newly accepted byte.
    private(set) var fruitless = 0
    /// Consecutive attempts to connect that failed.
    private(set) var unmade = 0
    /// The time between two advertisements of the device; nil if unknown.
    private(set) var advertisingInterval: Duration?
    /// What the end of a link meant to the procedure before the last link.
    var endingBefore = DisconnectMeaning.interrupted
    private var hasProgressed = false

    mutating func note(_ end: LinkOutcome) {
        hasStood = hasStood || end.hasStood
        unmade = end.hasStood ? 0 : unmade + 1
        advertisingInterval = end.advertisingInterval ?? advertisingInterval
        hasProgressed = end.accepted > accepted
        accepted = end.accepted
    }

    /// Counts a link that has ended or was not tried.
    mutating func count() {
        tried += 1
        fruitless = hasProgressed ? 1 : fruitless + 1
        hasProgressed = false
    }

    /// The device has started again from the beginning as intended: earlier links no longer count as fruitless.
    mutating func forgive() { fruitless = 0 }
}
