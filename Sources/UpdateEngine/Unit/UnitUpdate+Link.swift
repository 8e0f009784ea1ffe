import Bluetooth
import UpdateModel

/// How a link ends, which decides the next step of the unit's update.
enum LinkEnd: Sendable {
    /// The conversation of the update is over; the device may have ended the link.
    case conversation(ConversationResult, hasLeft: Bool)
    /// The application responds, or is heard, where another program was expected, and must not be sent to its
    /// bootloader; with the program, if it responded.
    case application(DeviceAddress, showing: Program?)
    case handedOver(BootloaderHandoff, from: DeviceAddress)
    /// The link was lost, or could not be established.
    case lost
    /// The device no longer responds; a new link may help.
    case silent(UpdateFailure)
}

/// The facts of a link that has ended, or of a failed attempt to connect.
struct LinkOutcome: Sendable {
    /// What ended the link, `lost` or `silent`; nil if the update ended it as planned.
    var end: LinkEnd?
    /// Whether the link was established.
    var hasConnected = false
    /// The time between two advertisements of the device; nil if unknown.
    var advertisingInterval: Duration?
    /// The furthest byte of firmware that the device is known to have received.
    var accepted = 0
    var nearbyScan = NearbyScan.State()
}

/// The end of a link.
extension UnitUpdate {
    mutating func disconnect(_ planned: LinkEnd) -> UnitStep {
        change(to: .disconnecting(planned), .disconnect)
    }

    mutating func disconnected(_ outcome: LinkOutcome) throws(UpdateFailure) -> UnitStep {
        note(outcome.nearbyScan.others)
        knowsOthers = outcome.nearbyScan.isComplete
        links.note(outcome)
        return try conclude(end(of: outcome))
    }

    private func end(of outcome: LinkOutcome) -> LinkEnd {
        switch (state, outcome.end) {
        case (.disconnecting(let planned), nil): planned
        case (_, nil): .lost
        case (.entering(let address), .lost?):
            entry?.handoffOnLoss.map { .handedOver($0, from: address) } ?? .lost
        case (_, let end?): end
        }
    }

    /// The step after a link that has ended, or was not tried.
    mutating func conclude(_ end: LinkEnd) throws(UpdateFailure) -> UnitStep {
        links.count()
        switch end {
        case .conversation(.complete(let completion), let hasLeft):
            return try completed(completion, hasLeft: hasLeft)
        case .conversation(.restart(let restart), _):
            seen.program = .unknown
            if restart.isAfterLoss { links.disregardLast() } else { links.resetFruitlessLinks() }
            noteRestart()
            repeating = restart.repeating
            if let reason = restart.repeating { emit(.notice(.retry(reason: reason.code, from: partStart))) }
            return rest(atLeast: restart.pause)
        case .application(let heard, let program):
            guard let completion = links.possibleCompletionBefore else {
                throw unexpectedApplication(at: heard)
            }
            guard procedure.targetSignature.advertisedVersion == nil else { return try completed(completion) }
            // The result is as expected, but the device never confirmed the image.
            return finish(.success(try unconfirmedProof(in: program, completion, at: heard)))
        case .handedOver(let handoff, let application): return follow(handoff, from: application)
        case .silent(let failure):
            guard links.fruitless < setup.policy.fruitlessLinks else { throw failure }
            emit(.notice(retry(failure.code)))
        case .lost:
            if let completion = completionDespiteLoss { return try completed(completion, isLost: true) }
            if case .refused(let failure) = procedure.disconnectMeaning { throw failure }
            let isUnanswered = audibility == .inaudible && receiverAddress == nil
            // If a new device may be the bootloader, one attempt to reach a silent one is enough.
            let most = isUnanswered && !arrivals.isEmpty ? 1 : setup.policy.fruitlessLinks
            guard links.fruitless < most else { throw tooManyLostLinks() }
            let reason: FailureCode =
                isUnanswered ? .device.connectionNotEstablished : .device.linkLost
            emit(.notice(retry(reason)))
        }
        return rest()
    }

    mutating func rest(atLeast least: Duration = .zero) -> UnitStep {
        change(to: .resting, .rest(max(least, setup.policy.pause(after: links.fruitless))))
    }

    /// Whether the unit may run another program once a link has ended. A bootloader may start the application; an
    /// application that was not told to start its bootloader goes on.
    var mayChangeProgram: Bool { receiverAddress != nil || entries > 0 }

    /// The notice that the update continues over another link, because of `reason`.
    private func retry(_ reason: FailureCode) -> UpdateNotice {
        .retry(
            reason: reason, from: procedure.resumes ? links.accepted : partStart, link: links.fruitless + 1)
    }

    var partStart: Int { procedure.part?.start ?? 0 }

    /// The completion of an update that an application took, if it has confirmed the image and only the link with the
    /// restart request was lost; otherwise nil.
    private var completionDespiteLoss: Completion? {
        guard updatesInApplication, let completion = possibleCompletion, completion.isConfirmed else {
            return nil
        }
        return completion
    }

    /// The completion that the device may have reached, by what the procedure knows now.
    var possibleCompletion: Completion? { procedure.disconnectMeaning.possibleCompletion }

    /// Records that the unit restarts: its bootloader may have another address afterwards.
    private mutating func noteRestart() {
        // A bootloader selected for a silent application already has the higher address.
        guard procedure.mayMove, setup.earlierScan.silentApplication == nil else { return }
        if audibility == .inaudible { audibility = .unknown }
        candidates = candidates.afterRestart(others: others)
    }

    /// A device that advertises more rarely is hard to connect to.
    private static let rareInterval = Duration.seconds(2)

    /// The failure if no further link is tried, because too many have made no progress.
    private func tooManyLostLinks() -> UpdateFailure {
        let place = candidates.target
        let fruitless = links.fruitless
        let isInaudible = audibility == .inaudible
        let attempts = links.failedAttempts == 1 ? "one attempt" : "\(links.failedAttempts) attempts"
        // At most one attempt made a link, perhaps to another program.
        let hasOnlyFailed = links.failedAttempts > 0 && links.failedAttempts + 1 >= fruitless
        guard !hasOnlyFailed || receiverAddress != nil || isInaudible else {
            return UpdateFailure(
                .device.connectionNotEstablished, during: "connecting",
                message: "\(place) was heard, but could not be connected to in \(attempts)\(rareness)",
                remedy: setup.policy.choices.connectTimeout.map { _ in
                    "leave \(.connectTimeout) out, so that the program chooses the time by how often the beacon "
                        + "advertises, or give it more; then run the same command again"
                })
        }
        return isInaudible && receiverAddress == nil
            ? bootloaderNotFound(
                "\(place) left its application, its bootloader was not heard for "
                    + "\(Int(setup.policy.bootloaderSearch.seconds)) s, and \(place) does not respond",
                of: place)
            : UpdateFailure(
                .device.linkLost, during: "transferring",
                message: "the link to \(place) was lost "
                    + (hasOnlyFailed
                        ? "and could not be made again in \(attempts)\(rareness)"
                        : links.lossWords))
    }

    /// The words for why links to the device are hard to make, if it advertises rarely; otherwise empty.
    private var rareness: String {
        guard let interval = links.advertisingInterval, interval >= Self.rareInterval else { return "" }
        return "; it advertises only every \((interval.seconds * 10).rounded() / 10) s"
    }
}

/// The next link.
extension UnitUpdate {
    /// The way to the next link: the unit has to be heard first, if possible.
    mutating func nextLink() -> UnitStep {
        links.possibleCompletionBefore = possibleCompletion
        if links.tried > 0 { report(.phase(.connecting)) }
        switch audibility {
        case .heard:
            audibility = .unknown
            return connect(to: candidates.target)
        case .inaudible: return connect(to: candidates.target)
        case .unknown:
            // The wait ends at once if the last link was up and the unit may have changed its program since
            // (`mayChangeProgram`): then `UnitDriver.link` has closed the scan, which could hear the unit itself.
            return change(to: .awaitingNearbyScan, .listen(until: .end))
        }
    }

    mutating func search(_ near: NearbyScan.State) -> UnitStep {
        note(near.others)
        return change(to: .searching(searchLimit), .search(candidates.all, within: searchLimit))
    }

    mutating func heard(_ report: Advertisement?, within limit: Duration) throws(UpdateFailure) -> UnitStep {
        guard let report else {
            if mayBeInaudible { return connect(to: candidates.target) }
            seen.program = .unknown
            throw UpdateFailure(
                .device.linkLost, during: "looking for the device",
                message: "\(candidates.target) was not heard for \(Int(limit.seconds)) s")
        }
        // A bootloader always accepts connections; an application may not. One that can be told to start its bootloader
        // does, even if it sends frames that are not connectable in between.
        guard
            report.isConnectable != false || report.address == candidates.target
                || entry != nil && maySend(applicationAt: report.address)
        else {
            return try conclude(
                .application(candidates.applicationAddresses.first ?? candidates.target, showing: nil))
        }
        return connect(to: report.address)
    }

    private mutating func connect(to address: DeviceAddress) -> UnitStep {
        let entryCharacteristics = maySend(applicationAt: address) ? entry?.entryCharacteristics ?? [] : []
        return change(
            to: .connecting(address),
            .connect(
                address,
                ProbeOptions(
                    targetSignature: procedure.targetSignature, entryCharacteristics: entryCharacteristics,
                    expectedVersion: procedure.expectedVersion,
                    knowsVersion: knowsVersion, identifies: !(procedure is any IdentifyingProcedure),
                    isAssumed: setup.earlierScan.silentApplication != nil
                        && !setup.earlierScan.isConfirmedBootloader
                        && receiverAddress == nil
                        && setup.policy.choices.bootloader == nil
                        || address == candidates.alternativeTarget && candidates.knownApplication == nil)))
    }

    /// Whether the version of the program that takes the update is known and cannot have changed.
    private var knowsVersion: Bool {
        receiverAddress != nil && possibleCompletion == nil
    }

    /// Whether the application at `address` is certainly this unit's and may be sent to its bootloader.
    func maySend(applicationAt address: DeviceAddress) -> Bool {
        guard possibleCompletion == nil else { return false }
        if entries == 0, let application = setup.earlierScan.silentApplication {
            // An application heard before the first link was there at the same time as the bootloader, so it is
            // another unit.
            return address == application && receiverAddress != nil && !others.contains(application)
        }
        // Between two parts the application may be back at the address that was selected, where its bootloader was.
        let isBetweenParts = (procedure.part?.number ?? 1) > 1
        return candidates.knownApplication.map { $0 == address }
            ?? (address == candidates.target && (receiverAddress == nil || isBetweenParts))
    }

    /// How long to search for the device; longer for one that may be installing its image.
    private var searchLimit: Duration {
        switch procedure.disconnectMeaning {
        case .mustContinue, .refused: setup.policy.search
        case .mayRestart(let timeout): max(setup.policy.search, timeout)
        case .perhapsDone(let completion): max(setup.policy.search, completion.timeout)
        }
    }

    mutating func linked(to program: Program, at address: DeviceAddress) throws(UpdateFailure) -> UnitStep {
        switch program {
        case .unrelated where address == candidates.alternativeTarget:
            emit(.log("\(address) is the bootloader of another beacon"))
            candidates.alternativeTarget = nil
            return disconnect(.lost)
        case .unrelated: throw unidentifiedBootloader(at: address)
        case .application(let entryCharacteristic, let revision):
            seen = DeviceSighting(program: .application, address: address)
            emit(.inApplication)
            guard let entryCharacteristic else { return disconnect(.application(address, showing: program)) }
            guard entries == 0 else { return try leave(address, by: entryCharacteristic) }
            baseline.revision = revision
            return examine(then: .examiningApplication(address, entryCharacteristic: entryCharacteristic))
        case .receiver(let receiver, let revision):
            guard let places = candidates.receiver(at: address) else {
                emit(.log("\(address) is the bootloader of another beacon"))
                candidates.remove([address])
                return disconnect(.lost)
            }
            candidates = places
            seen = DeviceSighting(
                program: updatesInApplication(by: receiver) ? .application : .bootloader, address: address)
            guard receiverAddress == nil else { return update(at: address, receiver, revision) }
            note(receiver, revision)
            guard updatesInApplication, !procedure.targetSignature.isAskedByProcedure else {
                if updatesInApplication, let revision { learn(ApplicationFacts(version: revision.text)) }
                return update(at: address, receiver, revision)
            }
            return examine(then: .examiningReceiver(address, receiver, revision))
        }
    }

    private mutating func examine(then state: State) -> UnitStep {
        change(to: state, .examine(version: baseline.revision?.text ?? baseline.advertisedVersion))
    }

    mutating func update(at address: DeviceAddress, _ receiver: Receiver, _ revision: Revision?) -> UnitStep {
        receiverAddress = address
        emit(.answered)
        if possibleCompletion != nil, baseline.differs(from: revision, of: receiver) {
            return disconnect(.application(address, showing: .receiver(receiver, revision: revision)))
        }
        noteUnchanged(revision, of: receiver)
        repeating = nil
        procedure.receiver = entries > 0 ? .bootloader : receiver
        return change(to: .updating(address), .update(at: address))
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
    /// Whether any link was established.
    private(set) var hasConnected = false
    /// The furthest byte of firmware that the device is known to have received.
    private(set) var accepted = 0
    /// Consecutive links without a newly received byte.
    private(set) var fruitless = 0
    /// Consecutive attempts to connect that failed.
    private(set) var failedAttempts = 0
    /// The time between two advertisements of the device; nil if unknown.
    private(set) var advertisingInterval: Duration?
    /// The completion that the device may have reached before the last link.
    var possibleCompletionBefore: Completion? {
        didSet { mayHaveCompleted = mayHaveCompleted || possibleCompletionBefore != nil }
    }
    /// Whether the device may have reached a completion before any link.
    private(set) var mayHaveCompleted = false
    private var hasProgressed = false
    /// Whether the first of the links that count as fruitless has brought new bytes.
    private var beginsWithProgress = false

    /// The links that count as fruitless, in words after "was lost".
    var lossWords: String {
        let losses = beginsWithProgress ? fruitless - 1 : fruitless
        let times = losses == 1 ? "once" : "\(losses) times"
        guard beginsWithProgress else { return "\(times) without progress" }
        return losses < 1 ? "after progress" : "after progress, then \(times) without"
    }

    mutating func note(_ outcome: LinkOutcome) {
        hasConnected = hasConnected || outcome.hasConnected
        failedAttempts = outcome.hasConnected ? 0 : failedAttempts + 1
        advertisingInterval = outcome.advertisingInterval ?? advertisingInterval
        hasProgressed = outcome.accepted > accepted
        accepted = outcome.accepted
    }

    /// Counts a link that has ended or was not tried.
    mutating func count() {
        tried += 1
        if hasProgressed { beginsWithProgress = true }
        fruitless = hasProgressed ? 1 : fruitless + 1
        hasProgressed = false
    }

    /// The device has started again from the beginning as intended: earlier links no longer count as fruitless.
    mutating func resetFruitlessLinks() { (fruitless, beginsWithProgress) = (0, false) }

    /// The last link has only prepared the next one, and does not count.
    mutating func disregardLast() {
        fruitless -= 1
        if fruitless == 0 { beginsWithProgress = false }
    }
}
