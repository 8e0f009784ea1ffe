import UpdateCore

/// What was found when an update was over.
struct Proof: Sendable {
    /// How far the result could be checked.
    var verification: Verification
    /// What the application calls its firmware.
    var revision: String?
}

extension Updater {
    /// What it proves that an application runs and calls its firmware `revision`.
    func proof(
        in revision: String?, of course: Course, isConfirmed: Bool
    ) throws(UpdateFailure) -> Proof {
        let before = course.revision
        let verdict = course.procedure.promise?.verdict(before: before, after: revision) ?? .silent
        var found = Proof(verification: isConfirmed ? .reappeared : .no, revision: revision)
        let words = revision ?? "by no version"
        switch verdict {
        // Unconfirmed, it proves something only where another version ran before.
        case .kept where isConfirmed || before.map { $0 != revision } ?? false: found.verification = .version
        case .broken: throw mismatch(words, course)
        case .different:
            report(
                .warning(
                    .versionDiffers,
                    "the application calls its firmware \(words), which is not how the package counts"))
        case .incomparable(isUnchanged: true) where revision != nil && !isConfirmed:
            throw UpdateFailure(
                .activationUnconfirmed, during: "waiting for the application",
                message:
                    "the link ended before the device could confirm the image, and its application calls its "
                    + "firmware \(words), as before")
        case .incomparable(isUnchanged: true) where revision != nil:
            report(.warning(.versionUnchanged, "the application calls its firmware \(words), as before"))
        case .silent, .kept, .incomparable: break
        }
        return found
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
        let before = course.revision == words ? ", as before" : ""
        return UpdateFailure(
            .versionMismatch, during: "waiting for the application",
            message:
                "the application that came up calls its firmware \(words)\(before); version \(promised) was "
                + "sent")
    }
}
