import UpdateCore

/// What was found when an update was over.
struct Proof: Sendable {
    /// How far the result could be checked.
    var verification: Verification
    /// What the application calls its firmware.
    var revision: Revision?
}

extension Updater {
    /// What it proves that an application runs and calls its firmware `revision`; it throws where that is
    /// nothing, because the device has not confirmed the image.
    func proof(
        in shown: Revision?, of course: Course, isConfirmed: Bool
    ) throws(UpdateFailure) -> Proof {
        let (before, revision) = (course.revision?.text, shown?.text)
        let verdict = course.procedure.promise?.verdict(before: before, after: revision) ?? .silent
        var found = Proof(verification: .reappeared, revision: shown)
        let words = revision ?? "by no version"
        if verdict == .broken { throw mismatch(words, course) }
        // Unconfirmed, a version proves something only where another one ran before.
        let hasChanged = before != nil && revision != nil && before != revision
        guard isConfirmed || hasChanged else { throw unconfirmed(revision, before: before) }
        switch verdict {
        // What it says as it did before proves nothing about the image that runs.
        case .kept where before == revision: break
        case .kept: found.verification = .version
        case .different:
            report(
                .warning(
                    .versionDiffers,
                    "the application calls its firmware \(words), which is not how the package counts"))
        case .incomparable(isUnchanged: true) where revision != nil:
            report(.warning(.versionUnchanged, "the application calls its firmware \(words), as before"))
        case .silent, .broken, .incomparable: break
        }
        // A bootloader that has given way shows that there is an application to start. An application that takes
        // updates itself is there in any case, and may be the old one.
        if course.procedure.entrance.isApplication, found.verification != .version, !hasChanged {
            found.verification = .no
            report(
                .warning(
                    .activationUnconfirmed,
                    "the device has confirmed the image, and "
                        + (revision == nil
                            ? "does not show which image it runs"
                            : "calls its firmware \(words) as before, which does not show which image it runs")
                ))
        }
        return found
    }

    /// The same of an application that came up before the device had confirmed the image. Where that is not to be
    /// looked at, what proves nothing is a warning.
    func unconfirmedProof(
        in revision: Revision?, of course: Course, _ verifying: Bool
    ) throws(UpdateFailure) -> Proof {
        do throws(UpdateFailure) {
            return try proof(in: revision, of: course, isConfirmed: false)
        } catch {
            guard !verifying, error.code == .activationUnconfirmed else { throw error }
            report(.warning(error.code, error.message))
            return Proof(verification: .no, revision: revision)
        }
    }

    /// What is known of a device that is not to be looked at.
    func unlooked(_ completion: Completion) -> Proof {
        if !completion.isConfirmed {
            report(.warning(.activationUnconfirmed, "the device has not confirmed the image"))
        }
        return Proof(verification: .no)
    }

    private func unconfirmed(_ revision: String?, before: String?) -> UpdateFailure {
        let words =
            switch revision {
            case nil: "shows no version"
            case before: "calls its firmware \(revision ?? ""), as before"
            default: "calls its firmware \(revision ?? ""), which it may have done before"
            }
        return UpdateFailure(
            .activationUnconfirmed, during: "waiting for the application",
            message: "the device has not confirmed the image, and its application \(words)")
    }

    /// The version that was asked for could not be read.
    func unread(_ text: String) -> UpdateFailure {
        UpdateFailure(
            .versionMismatch, during: "waiting for the application",
            message: "the application was heard, and could not be asked for its version; \(text) was expected"
        )
    }

    private func mismatch(_ words: String, _ course: Course) -> UpdateFailure {
        let promised = course.procedure.promise?.description ?? "another"
        let message = "the application that came up calls its firmware \(words)"
        if let text = course.procedure.promise?.text {
            return UpdateFailure(
                .versionMismatch, during: "waiting for the application",
                message: "\(message); \(text) was expected")
        }
        guard let text = course.revision?.text, text == words else {
            return UpdateFailure(
                .versionMismatch, during: "waiting for the application",
                message: "\(message); version \(promised) was sent")
        }
        if course.procedure.entrance.isApplication {
            return UpdateFailure(
                .versionMismatch, during: "waiting for the application",
                message:
                    "\(message), as before; version \(promised) was sent. Either the beacon has not restarted, or it "
                    + "has started its old image, or its text does not follow its image",
                remedy:
                    "switch the beacon off and on and look at it with `beacon-dfu info`; if all its firmware says "
                    + "'\(text)', that text proves nothing, and --no-verify leaves it out")
        }
        // A text that never changes cannot be told from firmware that did not.
        return UpdateFailure(
            .versionMismatch, during: "waiting for the application",
            message:
                "\(message), as before; version \(promised) was sent. Either the old firmware is running, or its "
                + "text does not count as the package does",
            remedy:
                "see whether the beacon does what only the new firmware does; if all its firmware says \(text), "
                + "flash with --expect-version '\(text)'")
    }
}
