import Bluetooth
import UpdateModel

extension UnitUpdate {
    /// Verifies the result, if requested, once the device has everything.
    mutating func completed(
        _ completion: Completion, hasLeft: Bool = true, isLost: Bool = false
    ) throws(UpdateFailure) -> UnitStep {
        (unchanged, hasNewVersion) = (nil, false)
        if let proof = completion.proof {
            seen.program = .application
            let proven = VerifiedState(proof)
            guard setup.isVerifying, setup.frames?.expected != nil else { return finish(.success(proven)) }
            // The catalogue promises that the beacon's frames show the version, too.
            return waitForFrames(
                of: .application(entryCharacteristic: nil, revision: proven.revision),
                Verifying(completion: completion, hasLeft: hasLeft, isLost: isLost, deadline: now))
        }
        seen.program = .unknown
        guard setup.isVerifying else { return finish(.success(unverifiedState(completion))) }
        report(.phase(.rebooting))
        return try search(
            Verifying(
                completion: completion, hasLeft: hasLeft, isLost: isLost, deadline: now + completion.timeout)
        )
    }

    private mutating func search(_ verifying: Verifying) throws(UpdateFailure) -> UnitStep {
        let limit = verifying.deadline - now
        let step = continueVerifying(verifying, .searching, .search(candidates.all, within: limit))
        return verifying.deadline > now ? step : finish(.success(try verificationWithoutSighting(verifying)))
    }

    private mutating func continueVerifying(
        _ verifying: Verifying, _ step: Verifying.Step, _ request: UnitStep
    ) -> UnitStep {
        var verifying = verifying
        verifying.step = step
        return change(to: .verifying(verifying), request)
    }

    mutating func rest(_ verifying: Verifying, for length: Duration) -> UnitStep {
        continueVerifying(verifying, .resting, .rest(length))
    }

    mutating func verify(_ verifying: Verifying, _ fact: UnitFact) throws(UpdateFailure) -> UnitStep {
        switch (verifying.step, fact) {
        case (.searching, .heard(nil)) where mayTakeNewDevice(verifying):
            return continueVerifying(verifying, .scanning, .scan(for: BootloaderLock.leaveTimeout))
        case (.searching, .heard(nil)): return finish(.success(try verificationWithoutSighting(verifying)))
        case (.scanning, .scanned(let reports)): return try probeOnlyNewDevice(reports, verifying)
        case (.probingNewDevice(let report), .probed(let probe)):
            return finish(
                .success(try verificationFromNewDevice(program(probe, of: report), of: report, verifying)))
        case (.searching, .heard(let report?)): return try probe(at: report, verifying)
        case (.probing(let report), .probed(let probe)):
            if case .silent(let program, let failure) = probe {
                try handleVersionFailure(failure, of: program, at: report.address)
            }
            return try judge(program(probe, of: report), of: report, verifying)
        case (.resting, .rested): return try search(verifying)
        default:
            throw UpdateFailure(awaiting: .system.internalError, "the outcome does not match the step")
        }
    }

    /// Whether the application may be searched for at an unpredicted address: its bootloader was selected, and has
    /// confirmed the image and left.
    private func mayTakeNewDevice(_ verifying: Verifying) -> Bool {
        setup.policy.takesOnlyNewcomer && candidates.knownApplication == nil
            && setup.earlierScan.silentApplication == nil
            && verifying.isFirstSighting
            && verifying.completion.isConfirmed && !verifying.completion.mayHaveMissedStart
            && !procedure.targetSignature.isApplication
    }

    /// Probes the only new device, if there is one.
    private mutating func probeOnlyNewDevice(
        _ reports: [Advertisement], _ verifying: Verifying
    ) throws(UpdateFailure) -> UnitStep {
        let newcomers = reports.filter {
            $0.isConnectable != false && !others.contains($0.address) && $0.address != candidates.target
                && $0.rssi.map { $0 >= BootloaderLock.newcomerLevel } ?? false
        }
        guard newcomers.count == 1, let newcomer = newcomers.first else {
            return finish(.success(try verificationWithoutSighting(verifying)))
        }
        return continueVerifying(verifying, .probingNewDevice(newcomer), probe(at: newcomer.address))
    }

    private func probe(at address: DeviceAddress) -> UnitStep {
        let options = ProbeOptions(
            targetSignature: procedure.targetSignature, expectedVersion: procedure.expectedVersion)
        return .probe(address, options)
    }

    /// The verification from the only new device; unless that shows the new version, the result is that of
    /// `verificationWithoutSighting`.
    private mutating func verificationFromNewDevice(
        _ program: Program?, of report: Advertisement, _ verifying: Verifying
    ) throws(UpdateFailure) -> VerifiedState {
        var proving = self
        let verified = try? proving.proof(in: program, verifying.completion, at: report.address)
        // A version that is only a hint proves nothing: many devices may show it.
        guard case .application(_, let shown)? = program, let verified, verified.verification == .version,
            let expectedVersion, !expectedVersion.isHint,
            expectedVersion.verdict(before: nil, after: shown?.text) == .kept
        else {
            do throws(UpdateFailure) { return try verificationWithoutSighting(verifying) } catch {
                throw error.advising(
                    "check with \(task: .info, .device, report.address.description) whether "
                        + "\(report.address) is this beacon: it was not heard before the update"
                )
            }
        }
        self = proving
        seen = DeviceSighting(program: .application, address: report.address)
        warn(
            .device.applicationAssumed,
            "assuming that \(report.address) is the application of \(candidates.target): it is the "
                + "only new beacon, and shows the version that was sent")
        return verified
    }

    private mutating func probe(
        at report: Advertisement, _ verifying: Verifying
    ) throws(UpdateFailure) -> UnitStep {
        if verifying.isFirstSighting { self.report(.phase(.verifying)) }
        if let read = procedure.targetSignature.advertisedVersion,
            let step = try advertised(read(report.data), at: report.address, verifying)
        {
            return step
        }
        if verifying.found != nil { return try frames(of: report, verifying) }
        // A bootloader sends no frames that are not connectable.
        guard report.isConnectable != false else {
            return try judge(
                mustRead ? nil : .application(entryCharacteristic: nil, revision: nil), of: report, verifying)
        }
        return continueVerifying(verifying, .probing(report), probe(at: report.address))
    }

    /// The program of the device at the address of `report`: by its characteristics, or by an address that only the
    /// application has. Nil if undecided.
    private func program(_ probe: ProbeResult, of report: Advertisement) -> Program? {
        switch probe {
        case .program(let program), .silent(let program, _): return program
        case .unfinished: return nil
        case .unreached:
            let isCertain =
                !mustRead && report.address == candidates.knownApplication
                && report.address != candidates.target
            return isCertain ? .application(entryCharacteristic: nil, revision: nil) : nil
        }
    }

    /// Handles the failure of an application to report its version in a session. An update that has to verify a version
    /// text fails with it; otherwise it is a warning.
    private mutating func handleVersionFailure(
        _ failure: UpdateFailure, of program: Program, at address: DeviceAddress
    ) throws(UpdateFailure) {
        guard case .application(_, nil) = program, let text = procedure.expectedVersion?.text else {
            warn(failure.code, failure.message)
            return
        }
        seen = DeviceSighting(program: .application, address: address)
        throw UpdateFailure(
            awaiting: failure.code,
            "the application is running, but did not report its version; \(text) was expected: "
                + failure.message)
    }

    /// Whether the version must be read, so that hearing the application is not enough.
    private var mustRead: Bool {
        baseline.revision != nil || expectedVersion?.text != nil || updatesInApplication
    }

    private mutating func judge(
        _ program: Program?, of report: Advertisement, _ verifying: Verifying
    ) throws(UpdateFailure) -> UnitStep {
        var verifying = verifying
        let (address, completion) = (report.address, verifying.completion)
        switch program {
        case .application(_, let revision)?:
            return try judge(program, showing: revision, at: address, verifying)
        case .receiver(let receiver, let revision)?
        where isApplication(receiver) || baseline.differs(from: revision, of: receiver):
            return try judge(program, showing: revision, at: address, verifying)
        case nil, .unrelated?: verifying.isUndecided = true
        case .receiver?:
            verifying.receiverSightings += 1
            seen = DeviceSighting(program: .bootloader, address: address)
            // One or two sightings may be the last advertisements before a second restart.
            if verifying.receiverSightings >= 3 {
                return finish(.success(try verificationInBootloader(completion)))
            }
        }
        return rest(verifying, for: setup.policy.longestPause)
    }

    /// The step once the application was seen at `address`, and has shown `revision`.
    private mutating func judge(
        _ program: Program?, showing revision: Revision?, at address: DeviceAddress, _ verifying: Verifying
    ) throws(UpdateFailure) -> UnitStep {
        seen = DeviceSighting(program: .application, address: address)
        if awaitsFrames(showing: revision) { return waitForFrames(of: program, verifying) }
        return finish(.success(try proof(in: program, verifying.completion, at: address)))
    }

    /// Whether the program detected as `found` after the update is an application.
    private func isApplication(_ found: Receiver) -> Bool {
        found == .application && (updatesInApplication || baseline.receiver != .application)
    }

    private mutating func verificationWithoutSighting(_ verifying: Verifying) throws(UpdateFailure)
        -> VerifiedState
    {
        let completion = verifying.completion
        if let found = verifying.found {
            if let text = setup.frames?.expected { throw versionUnreadFailure(text) }
            return try proof(in: found, completion, at: candidates.target)
        }
        if verifying.isUndecided {
            if let text = expectedVersion?.text { throw versionUnreadFailure(text) }
            return try verificationOfUnknownProgram(completion, verifying.hasLeft)
        }
        guard verifying.receiverSightings == 0 else { return try verificationInBootloader(completion) }
        throw UpdateFailure(
            awaiting: .device.didNotReappear,
            "\(candidates.target) took the whole image, but was not heard again for "
                + "\(Int(completion.timeout.seconds)) s")
    }

    /// The verification of a device that is in its bootloader again: it may have a new SoftDevice or bootloader, but no
    /// application that runs with it.
    private mutating func verificationInBootloader(_ completion: Completion) throws(UpdateFailure)
        -> VerifiedState
    {
        guard completion.mayStayInBootloader else {
            throw UpdateFailure(
                awaiting: .device.activationFailed,
                "\(candidates.target) took the whole image, but came back in its bootloader")
        }
        guard completion.isConfirmed else {
            throw unconfirmed("the beacon has not confirmed the image, and it is in its bootloader again")
        }
        warn(
            .device.applicationMissing,
            "the beacon is in its bootloader again, without an application that it can start; install one")
        return VerifiedState(verification: .no, hasNoApplication: true)
    }

    private mutating func verificationOfUnknownProgram(
        _ completion: Completion, _ hasLeft: Bool
    ) throws(UpdateFailure) -> VerifiedState {
        let words = "something responds at the beacon's address, but not long enough to identify its program"
        guard completion.isConfirmed else {
            throw unconfirmed("the beacon has not confirmed the image, and \(words)")
        }
        // A device that was told to start its image but stayed may not have started it.
        guard hasLeft, !completion.mayHaveMissedStart else {
            throw unconfirmed("the beacon has accepted the image, but may not have started it: \(words)")
        }
        warn(.device.activationUnconfirmed, words)
        return VerifiedState(verification: .no)
    }

    private func unconfirmed(_ message: String) -> UpdateFailure {
        UpdateFailure(awaiting: .device.activationUnconfirmed, message)
    }

    /// The step to repeat the request to restart if the device may not have received it; otherwise nil.
    mutating func repeatedActivation(after failure: UpdateFailure) -> UnitStep? {
        guard case .verifying(let verifying) = state, verifying.isLost, links.fruitless < 2 else {
            return nil
        }
        let mayHaveMissedStart = verifying.completion.mayHaveMissedStart
        guard
            failure.code == .device.versionMismatch
                || mayHaveMissedStart && failure.code == .device.activationUnconfirmed
        else { return nil }
        emit(.notice(.retry(reason: failure.code, from: mayHaveMissedStart ? links.accepted : partStart)))
        // Earlier observations no longer apply.
        (unchanged, hasNewVersion) = (nil, false)
        return rest()
    }
}

/// The verification of the result, within the timeout of the procedure.
struct Verifying: Sendable {
    enum Step: Sendable {
        case searching
        case probing(Advertisement)
        /// Nothing was heard where the application may be: search for new devices.
        case scanning
        /// Probing the only new device elsewhere.
        case probingNewDevice(Advertisement)
        case resting
    }

    let completion: Completion
    /// Whether the device has ended the link.
    let hasLeft: Bool
    /// Whether the link with the restart request was lost, so that the request may not have arrived.
    let isLost: Bool
    var deadline: Duration
    var step = Step.searching
    /// How often the program that takes the update was seen again.
    var receiverSightings = 0
    /// Whether something was heard whose program is unknown.
    var isUndecided = false
    /// How many reports had a version, and how many had none, if the unit can advertise one.
    var otherVersions = 0
    var unversioned = 0

    /// The application seen over a link, while its frames are awaited.
    var found: Program?

    var isFirstSighting: Bool {
        receiverSightings == 0 && !isUndecided && otherVersions == 0 && unversioned == 0 && found == nil
    }
}
