import Bluetooth
import UpdateModel

struct VerifiedState: Sendable {
    var verification: Verification
    var revision: Revision?
    /// The earlier version text of the same source; nil if unknown.
    var revisionBefore: String?
    /// The hash of the image that runs, if the procedure has seen it.
    var imageHash: [UInt8]?
    /// Whether the device stays in its bootloader after a system part, without an application that it can start.
    var hasNoApplication = false
}

extension VerifiedState {
    /// The state that the procedure itself has seen.
    init(_ proof: UpdateProof) {
        self.init(
            verification: .version, revision: Revision(text: proof.version, source: nil),
            revisionBefore: proof.versionBefore, imageHash: proof.imageHash)
    }
}

extension UnitUpdate {
    /// The verification from an application at `address` with this program. Throws if it verifies nothing, because
    /// the device has not confirmed the image, or may not have received the request to start it.
    mutating func proof(
        in program: Program?, _ end: Completion, at address: DeviceAddress
    ) throws(UpdateFailure) -> VerifiedState {
        let before = baseline.revision(of: program?.receiver)
        // Texts from different sources are not comparable.
        let isComparable = program?.revision == nil || before?.source == program?.revision?.source
        return try proof(in: program?.revision, before: isComparable ? before?.text : nil, end, at: address)
    }

    /// The verification of an application whose version text from the same source was `before`.
    mutating func proof(
        in shown: Revision?, before: String?, _ end: Completion, at address: DeviceAddress
    ) throws(UpdateFailure) -> VerifiedState {
        let revision = shown?.text
        let verdict = expectedVersion?.verdict(before: before, after: revision) ?? .silent
        var found = VerifiedState(verification: .reappeared, revision: shown, revisionBefore: before)
        let words = revision ?? "(none)"
        // Without confirmation, a version is meaningful only if another one ran before.
        let hasChanged = before != nil && revision != nil && before != revision
        hasNewVersion = hasChanged
        if verdict == .broken { throw mismatch(words, before: before) }
        // The new version is shown; if the earlier one is unknown, no more can be verified.
        let isShown = verdict == .kept && before == nil && expectedVersion?.isHint != true
        if end.mayHaveMissedStart, !hasChanged, !isShown {
            unchanged = revision != nil && revision == before && end.isConfirmed ? found : nil
            throw unconfirmedStart(revision, before: before, at: address)
        }
        guard end.isConfirmed || hasChanged || isShown else {
            throw unconfirmed(revision, before: before, at: address)
        }
        if !end.isConfirmed, !hasChanged {
            warn(
                .device.activationUnconfirmed,
                "the beacon's confirmation was lost; its application reports version \(words), that of the image, "
                    + "but its earlier version is unknown")
        }
        found.verification = verification(by: verdict, shown, before: before)
        return found
    }

    /// The level of verification from an application that reports `shown`, if the device has confirmed the image.
    private mutating func verification(
        by verdict: ExpectedVersion.Verdict, _ shown: Revision?, before: String?
    ) -> Verification {
        let words = shown?.text ?? "(none)"
        switch verdict {
        // An unchanged text does not show which image runs. An application that takes updates itself may be the old
        // one, and have shown that number before.
        case .kept where expectedVersion?.isHint == true && updatesInApplication && before == nil: break
        case .kept where before != shown?.text: return .version
        // A version from the vendor's own session or frames is authoritative, even if the package's number has
        // another form. A text in Device Information may be anything.
        case .incomparable(isUnchanged: false) where before != nil && shown != nil && shown?.source == nil:
            return .version
        case .different:
            warn(
                .device.versionDiffers,
                "the application reports version \(words), which cannot be compared with the package's")
        case .incomparable(isUnchanged: true) where shown != nil:
            warn(.device.versionUnchanged, "the application reports version \(words), as before")
        case .kept, .silent, .broken, .incomparable: break
        }
        // A bootloader that has started its application shows that there is one. An application that takes updates
        // itself is always there, and may be the old one.
        let hasChanged = before != nil && shown != nil && before != shown?.text
        guard updatesInApplication, !hasChanged else { return .reappeared }
        warn(
            .device.activationUnconfirmed,
            "the beacon has confirmed the image, and its application "
                + (shown == nil
                    ? "does not show which image it runs"
                    : "reports version \(words), as before, which does not show which image it runs"))
        return .no
    }

    /// The verification of an application that appeared before the device had confirmed the image. Without
    /// verification, an unverified result is only a warning.
    mutating func unconfirmedProof(
        in program: Program?, _ end: Completion, at address: DeviceAddress
    ) throws(UpdateFailure) -> VerifiedState {
        do throws(UpdateFailure) {
            return try proof(in: program, end, at: address)
        } catch {
            guard !setup.isVerifying, error.code == .device.activationUnconfirmed else { throw error }
            warn(error.code, error.message)
            return VerifiedState(verification: .no, revision: program?.revision)
        }
    }

    /// The state without verification; warns if the device may not run the image.
    mutating func unverifiedState(_ completion: Completion) -> VerifiedState {
        if !completion.isConfirmed {
            warn(.device.activationUnconfirmed, "the beacon has not confirmed the image")
        } else if completion.mayHaveMissedStart {
            warn(
                .device.activationUnconfirmed,
                "the beacon has accepted the image, and the link ended when it was told to start it")
        }
        return VerifiedState(verification: .no)
    }

    /// The result if the user accepts an update without verification: the device has accepted the image, and its
    /// version text is unchanged. Otherwise nil.
    mutating func accepted(despite failure: UpdateFailure) -> VerifiedState? {
        guard setup.risks.contains(.unchangedVersion), failure.code == .device.activationUnconfirmed,
            var found = unchanged
        else { return nil }
        warn(
            .device.activationUnconfirmed,
            "\(failure.message); it counts as updated, because that risk was accepted")
        found.verification = .no
        return found
    }

    /// Records the version text of a program that takes the update, if it is as before and the program may already be
    /// the new one, started by a request over an earlier link.
    mutating func noteUnchanged(_ shown: Revision?, of receiver: Receiver) {
        guard updatesInApplication, possibleCompletion?.isConfirmed == true, let shown,
            let before = baseline.revision(of: receiver), before.source == shown.source,
            before.text == shown.text
        else { return unchanged = nil }
        unchanged = VerifiedState(verification: .no, revision: shown, revisionBefore: before.text)
    }

    /// The failure, completed by the application's version text if that is unchanged, and by the resulting advice.
    func comparing(_ failure: UpdateFailure) -> UpdateFailure {
        guard failure.code == .device.activationUnconfirmed, let text = unchanged?.revision?.text else {
            return failure
        }
        let words = "it reports version \(text), as before"
        return UpdateFailure(
            failure.code, during: failure.during,
            message: failure.message.contains(words) ? failure.message : "\(failure.message); \(words)",
            remedy: "check whether the beacon does something that only the new firmware does. If the package "
                + "holds version \(text) again, the version cannot show it: flash with "
                + "\(.risk, Risk.unchangedVersion.rawValue). If it holds another, flash again",
            mayReconnect: failure.mayReconnect, state: failure.state)
    }

    private func unconfirmedStart(_ revision: String?, before: String?, at address: DeviceAddress)
        -> UpdateFailure
    {
        UpdateFailure(
            awaiting: .device.activationUnconfirmed,
            "\(address) has accepted the image, the link ended when it was told to start it, and it "
                + words(for: revision, before: before))
    }

    /// The application's version text compared with `before`, as far as they were read.
    private func words(for revision: String?, before: String?) -> String {
        switch (revision, before) {
        case (nil, _): "shows no version"
        case (let revision?, nil):
            "reports version \(revision), but its earlier version is unknown"
        case (let revision?, let before?):
            "reports version \(revision), " + (revision == before ? "as before" : "before that \(before)")
        }
    }

    private func unconfirmed(
        _ revision: String?, before: String?, at address: DeviceAddress
    ) -> UpdateFailure {
        UpdateFailure(
            awaiting: .device.activationUnconfirmed,
            "the beacon has not confirmed the image, and its application "
                + words(for: revision, before: before),
            remedy: "check with \(task: .info, .device, address.description) what it runs; to send the image "
                + "again, select \(address), where the application is now")
    }

    func versionUnreadFailure(_ text: String) -> UpdateFailure {
        UpdateFailure(
            awaiting: .device.versionMismatch,
            "the application was heard, but its version could not be read; \(text) was expected")
    }

    private func mismatch(_ words: String, before: String?) -> UpdateFailure {
        let sent = expectedVersion?.description ?? "another"
        let message = "the \(hasNewVersion ? "new " : "")application reports version \(words)"
        if let text = expectedVersion?.text {
            let comparison = words == before ? ", as before" : ""
            return UpdateFailure(
                awaiting: .device.versionMismatch, "\(message)\(comparison); \(text) was expected")
        }
        guard let text = baseline.revision?.text, text == words else {
            return UpdateFailure(awaiting: .device.versionMismatch, "\(message); version \(sent) was sent")
        }
        if updatesInApplication {
            return UpdateFailure(
                awaiting: .device.versionMismatch,
                "\(message), as before; version \(sent) was sent. Either the beacon has not restarted, or it "
                    + "has started its old image, or its version text never changes",
                remedy: "switch the beacon off and on and check it with \(task: .info); if all its firmware "
                    + "reports '\(text)', that text proves nothing: use \(.unverified)")
        }
        // A text that never changes does not show whether the firmware changed.
        return UpdateFailure(
            awaiting: .device.versionMismatch,
            "\(message), as before; version \(sent) was sent. Either the old firmware is running, or its version "
                + "text is not the package's version",
            remedy: "check whether the beacon does something that only the new firmware does; if all its "
                + "firmware reports \(text), flash with \(.expectedVersion, "'\(text)'")")
    }
}

/// Versions in advertisements.
extension UnitUpdate {
    /// The step after a report with `version`, which is nil if the report has none; nil to read it over a link.
    mutating func advertised(
        _ version: String?, at address: DeviceAddress, _ verifying: Verifying
    ) throws(UpdateFailure) -> UnitStep? {
        var verifying = verifying
        guard let version else {
            // The unit alternates between kinds of frames.
            verifying.unversioned += 1
            return verifying.unversioned <= 5 ? rest(verifying, for: setup.policy.firstPause) : nil
        }
        verifying.otherVersions += 1
        // One or two reports may be the last ones before a restart.
        guard
            expectedVersion?.isMet(by: version) ?? true || verifying.otherVersions > 2
                // A link has since shown that the unit has restarted.
                || verifying.found != nil && setup.frames?.expected == nil
        else { return rest(verifying, for: setup.policy.longestPause) }
        seen = DeviceSighting(program: .application, address: address)
        if let proof = verifying.completion.proof, expectedVersion?.isMet(by: version) ?? true {
            return finish(.success(VerifiedState(proof)))
        }
        let signature = procedure.targetSignature
        let revision = Revision(
            text: version, source: signature.advertisedVersion == nil ? nil : signature.control.service)
        return finish(
            .success(
                try proof(
                    in: revision, before: baseline.advertisedVersion, verifying.completion, at: address)))
    }

    /// How long to wait for the frames of an application that was seen over a link. Beacons that alternate between
    /// several kinds of frames may send one of them every 10 s.
    private static let frameTimeout = Duration.seconds(12)
    /// How long to wait if the frames must show the version.
    private static let promiseTimeout = Duration.seconds(30)

    /// The time between two reports that are examined; each may have a frame of another kind.
    private static let frameRest = Duration.milliseconds(100)

    /// Whether the frames decide for an application that shows `revision` over a link.
    func awaitsFrames(showing revision: Revision?) -> Bool {
        guard let frames = setup.frames, procedure.targetSignature.advertisedVersion == nil else {
            return false
        }
        return frames.expected != nil || revision == nil && baseline.advertisedVersion != nil
    }

    mutating func waitForFrames(of found: Program?, _ verifying: Verifying) -> UnitStep {
        var verifying = verifying
        verifying.found = found
        verifying.deadline =
            now + (setup.frames?.expected == nil ? Self.frameTimeout : Self.promiseTimeout)
        return rest(verifying, for: Self.frameRest)
    }

    /// The step after a report of an application whose frames are awaited.
    mutating func frames(of report: Advertisement, _ verifying: Verifying) throws(UpdateFailure) -> UnitStep {
        if let version = setup.frames?.read(report.data, report.address),
            let step = try advertised(version, at: report.address, verifying)
        {
            return step
        }
        return rest(verifying, for: Self.frameRest)
    }
}
