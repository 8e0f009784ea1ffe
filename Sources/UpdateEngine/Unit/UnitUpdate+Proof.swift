import BluetoothTypes
import FirmwareModel
import UpdateCore

/// What was found when an update was over.
struct VerifiedState: Sendable {
    /// How far the result could be checked.
    var verification: Verification
    /// What the application calls its firmware.
    var revision: Revision?
    /// What it called its firmware before in the same place; nil where that is not known.
    var revisionBefore: String?
}

extension UnitUpdate {
    /// What it proves that an application at `address` runs and shows itself so. It throws where that is nothing, because
    /// the device has not confirmed the image, or may not have heard that it has to start it.
    mutating func proof(
        in program: Program?, _ end: Completion, at address: DeviceAddress
    ) throws(UpdateFailure) -> VerifiedState {
        let before = baseline.revision(of: program?.receiver)
        // Texts of two places say nothing of each other.
        let isComparable = program?.revision == nil || before?.source == program?.revision?.source
        return try proof(
            in: program?.revision, before: isComparable ? before?.text : nil, end, at: address)
    }

    /// The same of an application that called its firmware `before` in the same place.
    mutating func proof(
        in shown: Revision?, before: String?, _ end: Completion, at address: DeviceAddress
    ) throws(UpdateFailure) -> VerifiedState {
        let revision = shown?.text
        let verdict = promised?.verdict(before: before, after: revision) ?? .silent
        var found = VerifiedState(verification: .reappeared, revision: shown, revisionBefore: before)
        let words = revision ?? "by no version"
        if verdict == .broken { throw mismatch(words) }
        // Unconfirmed, a version proves something only where another one ran before.
        let hasChanged = before != nil && revision != nil && before != revision
        // What was sent runs; where nothing is known of what ran before, that is all there is to be known.
        let isShown = verdict == .kept && before == nil && promised?.isHint != true
        if end.mayBeUnheard, !hasChanged, !isShown {
            unchanged = revision != nil && revision == before && end.isConfirmed ? found : nil
            throw unheard(revision, before: before, at: address)
        }
        guard end.isConfirmed || hasChanged || isShown else {
            throw unconfirmed(revision, before: before, at: address)
        }
        if !end.isConfirmed, !hasChanged { warnOfLostWord(words) }
        found.verification = verification(by: verdict, shown, before: before)
        return found
    }

    /// How far an application that calls its firmware `shown` proves an update that the device has confirmed.
    private mutating func verification(
        by verdict: ExpectedVersion.Verdict, _ shown: Revision?, before: String?
    ) -> Verification {
        let words = shown?.text ?? "by no version"
        switch verdict {
        // What it says as it did before proves nothing about the image that runs.
        // An application that takes updates itself may be the old one, which shows that number, too.
        case .kept where promised?.isHint == true && updatesInApplication: break
        case .kept where before != shown?.text: return .version
        // What the vendor's own session or frames call the firmware is its version, however the package counts. A text in Device
        // Information may be anything.
        case .incomparable(isUnchanged: false) where before != nil && shown != nil && shown?.source == nil:
            return .version
        case .different:
            report(
                .warning(
                    .versionDiffers,
                    "the application calls its firmware \(words), which is not how the package counts"))
        case .incomparable(isUnchanged: true) where shown != nil:
            report(.warning(.versionUnchanged, "the application calls its firmware \(words), as before"))
        case .kept, .silent, .broken, .incomparable: break
        }
        // A bootloader that has given way shows that there is an application to start. An application that takes
        // updates itself is there in any case, and may be the old one.
        let hasChanged = before != nil && shown != nil && before != shown?.text
        guard updatesInApplication, !hasChanged else { return .reappeared }
        report(
            .warning(
                .activationUnconfirmed,
                "the device has confirmed the image, and "
                    + (shown == nil
                        ? "does not show which image it runs"
                        : "calls its firmware \(words) as before, which does not show which image it runs")
            ))
        return .no
    }

    /// The same of an application that came up before the device had confirmed the image. Where that is not to be
    /// looked at, what proves nothing is a warning.
    mutating func unconfirmedProof(
        in program: Program?, _ end: Completion, at address: DeviceAddress
    ) throws(UpdateFailure) -> VerifiedState {
        do throws(UpdateFailure) {
            return try proof(in: program, end, at: address)
        } catch {
            guard !order.isVerifying, error.code == .activationUnconfirmed else { throw error }
            report(.warning(error.code, error.message))
            return VerifiedState(verification: .no, revision: program?.revision)
        }
    }

    /// What is known of a device that is not to be looked at.
    mutating func unlooked(_ completion: Completion) -> VerifiedState {
        if !completion.isConfirmed {
            report(.warning(.activationUnconfirmed, "the device has not confirmed the image"))
        } else if completion.mayBeUnheard {
            report(
                .warning(
                    .activationUnconfirmed,
                    "the device has found the image right, and the link ended when it was told to start it"))
        }
        return VerifiedState(verification: .no)
    }

    private mutating func warnOfLostWord(_ words: String) {
        report(
            .warning(
                .activationUnconfirmed,
                "the device's word for the image was lost; its application calls itself \(words), as the image does, "
                    + "and nothing shows what it called itself before"))
    }

    /// What somebody has asked to take for an update although nothing shows it: the device has found the image right, and
    /// calls its firmware as before. Nil where that is not so.
    mutating func accepted(despite failure: UpdateFailure) -> VerifiedState? {
        guard order.risks.contains(.unchangedVersion), failure.code == .activationUnconfirmed,
            var found = unchanged
        else { return nil }
        report(
            .warning(
                .activationUnconfirmed,
                "\(failure.message); it is taken for updated, because that risk was accepted"))
        found.verification = .no
        return found
    }

    /// What a program shows that takes the update, and may have been started by an Activate over an earlier link.
    mutating func noteUnchanged(_ shown: Revision?, of receiver: Receiver) {
        guard updatesInApplication, case .perhapsDone(let end) = procedure.linkEnded(), end.isConfirmed,
            let shown, let before = baseline.revision(of: receiver), before.source == shown.source,
            before.text == shown.text
        else { return unchanged = nil }
        unchanged = VerifiedState(verification: .no, revision: shown, revisionBefore: before.text)
    }

    /// The same failure with what else is known: that the application calls its firmware as before, and what follows
    /// from that.
    func comparing(_ failure: UpdateFailure) -> UpdateFailure {
        guard failure.code == .activationUnconfirmed, let text = unchanged?.revision?.text else {
            return failure
        }
        let words = "it calls its firmware \(text), as before"
        return UpdateFailure(
            failure.code, during: failure.during,
            message: failure.message.contains(words) ? failure.message : "\(failure.message); \(words)",
            remedy:
                "see whether the beacon does what only the new firmware does. If the package holds version \(text) again, "
                + "the version cannot show it: flash with \(.risk, Risk.unchangedVersion.rawValue). If it holds another, "
                + "flash again",
            mayReconnect: failure.mayReconnect, state: failure.state)
    }

    private func unheard(
        _ revision: String?, before: String?, at address: DeviceAddress
    ) -> UpdateFailure {
        UpdateFailure(
            .activationUnconfirmed, during: "waiting for the application",
            message:
                "\(address) has found the image right, the link ended when it was told to start it, and it "
                + words(for: revision, before: before))
    }

    /// What an application shows that called its firmware `before`, as far as that was read.
    private func words(for revision: String?, before: String?) -> String {
        switch (revision, before) {
        case (nil, _): "shows no version"
        case (let revision?, nil):
            "calls its firmware \(revision), and nothing shows what it called itself before"
        case (let revision?, let before?):
            "calls its firmware \(revision), " + (revision == before ? "as before" : "and \(before) before")
        }
    }

    private func unconfirmed(
        _ revision: String?, before: String?, at address: DeviceAddress
    ) -> UpdateFailure {
        UpdateFailure(
            .activationUnconfirmed, during: "waiting for the application",
            message: "the device has not confirmed the image, and its application "
                + words(for: revision, before: before),
            remedy:
                "see with \(task: .info, .device, address.description) what runs; to send the image again, select \(address), "
                + "where the application is now")
    }

    /// The version that was asked for could not be read.
    func unread(_ text: String) -> UpdateFailure {
        UpdateFailure(
            .versionMismatch, during: "waiting for the application",
            message: "the application was heard, and could not be asked for its version; \(text) was expected"
        )
    }

    private func mismatch(_ words: String) -> UpdateFailure {
        let sent = promised?.description ?? "another"
        let message = "the application that came up calls its firmware \(words)"
        if let text = promised?.text {
            return UpdateFailure(
                .versionMismatch, during: "waiting for the application",
                message: "\(message); \(text) was expected")
        }
        guard let text = baseline.revision?.text, text == words else {
            return UpdateFailure(
                .versionMismatch, during: "waiting for the application",
                message: "\(message); version \(sent) was sent")
        }
        if updatesInApplication {
            return UpdateFailure(
                .versionMismatch, during: "waiting for the application",
                message:
                    "\(message), as before; version \(sent) was sent. Either the beacon has not restarted, or it "
                    + "has started its old image, or its text does not follow its image",
                remedy:
                    "switch the beacon off and on and look at it with \(task: .info); if all its firmware says "
                    + "'\(text)', that text proves nothing, and \(.unverified) leaves it out")
        }
        // A text that never changes cannot be told from firmware that did not.
        return UpdateFailure(
            .versionMismatch, during: "waiting for the application",
            message:
                "\(message), as before; version \(sent) was sent. Either the old firmware is running, or its "
                + "text does not count as the package does",
            remedy:
                "see whether the beacon does what only the new firmware does; if all its firmware says \(text), "
                + "flash with \(.expectedVersion, "'\(text)'")")
    }
}
