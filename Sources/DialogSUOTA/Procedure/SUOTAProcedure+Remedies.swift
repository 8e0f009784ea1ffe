public import UpdateCore

/// What can be done about an update that has failed, and what must not be done (dialog-suota.md, Resume).
extension SUOTAProcedure {
    /// The failure's own remedy, and what the state of the device adds to it.
    public func remedy(for failure: UpdateFailure) -> String? {
        switch failure.code {
        case .linkLost, .interrupted, .noAnswer: stage == .fresh ? nil : again(after: failure)
        case .versionMismatch:
            isAtRisk
                ? sentences(Self.look, danger)
                : family == .da1458x ? sentences(failure.remedy ?? Self.look, repeating) : nil
        case .activationUnconfirmed: behindTheEnd
        case .didNotReappear: isAtRisk ? sentences(Self.listen, danger) : Self.silent
        default: danger.map { sentences(failure.remedy ?? Self.onceMore, $0) }
        }
    }

    private static let onceMore = "run the same command again"
    private static let look = "see with `beacon-dfu info` what the beacon runs"
    private static let listen = "wait a minute and look for the beacon with `beacon-dfu scan`"
    private static let silent =
        "wait a minute, then switch the beacon off and on, and look for it with `beacon-dfu scan`; one that stays silent "
        + "has no image that starts, and needs one by cable"

    private func again(after failure: UpdateFailure) -> String {
        guard stage == .begun else { return sentences("the beacon had everything", behindTheEnd) }
        let nearer = failure.code == .interrupted ? "" : "bring the beacon closer, then "
        return sentences(
            nearer + Self.onceMore + "; it begins at the first byte, because SUOTA cannot go on where it was",
            danger ?? present)
    }

    /// A 58x that has started its old image may have done so because the new one is bad.
    private var behindTheEnd: String {
        family == .da1458x
            ? sentences(Self.look, isAtRisk ? danger : repeating)
            : "\(Self.look), and \(Self.onceMore) if that is the old version"
    }

    /// The running image may be the one that was overwritten, and the new one does not count yet.
    private var isAtRisk: Bool { danger != nil && isUnconfirmed }

    /// What a device with two banks, or with a loader that copies, has while an upload is not finished.
    private var present: String {
        "meanwhile the beacon keeps its present image"
            + (family == .da1458x ? ", unless an earlier update of it ended with version-mismatch" : "")
    }

    private var isForced: Bool { family == .da1458x && wishes.bank != .oldest }

    /// What a forced bank may have cost; nil where nothing of it was written.
    private var danger: String? {
        guard isForced, hasWritten else { return nil }
        return
            "do not switch the beacon off before an update of it has ended well: the bank that was asked for may hold "
            + "its running image, of which only the copy in its memory is left"
    }

    /// A bad image that was marked as good counts as the newer one.
    private var repeating: String {
        "send it no other image before that is clear: if the beacon started its old image because the new one is bad, the "
            + "next update overwrites the old one, which is the only good one"
    }

    private func sentences(_ first: String, _ second: String?) -> String {
        [first, second].compactMap(\.self).joined(separator: ". ").withCapitalsBehindPoints
    }
}

extension String {
    /// `a. b` as `a. B`.
    fileprivate var withCapitalsBehindPoints: String {
        let parts = split(separator: ". ", omittingEmptySubsequences: false)
        guard let first = parts.first else { return self }
        return ([String(first)] + parts.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() })
            .joined(separator: ". ")
    }
}
