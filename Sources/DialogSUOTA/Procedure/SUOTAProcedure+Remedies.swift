public import FirmwareModel
public import UpdateCore

/// What can be done about an update that has failed, and what must not be done (dialog-suota.md, Resume).
extension SUOTAProcedure {
    /// The failure's own remedy, and what the state of the device adds to it.
    public func remedy(for failure: UpdateFailure) -> Advice? {
        switch failure.code {
        case .linkLost, .interrupted, .noAnswer: update.stage == .fresh ? nil : again(after: failure)
        case .versionMismatch where !mustStayOn:
            family == .da1458x ? sentences(failure.remedy ?? Self.look, Self.repeating) : nil
        case .versionMismatch, .activationUnconfirmed: afterTheEnd
        case .didNotReappear: mustStayOn ? sentences(Self.listen, Self.stayOn) : Self.silent
        default: isInDanger ? sentences(failure.remedy ?? Self.onceMore, Self.stayOn) : nil
        }
    }

    private static let onceMore: Advice = "run the same command again"
    private static let look: Advice = "see with \(task: .info) what the beacon runs"
    private static let listen: Advice = "wait a minute and look for the beacon with \(task: .scan)"
    private static let silent: Advice =
        "wait a minute, then switch the beacon off and on, and look for it with \(task: .scan); one that stays silent "
        + "has no image that starts, and needs one by cable"

    private static let stayOn: Advice =
        "do not switch the beacon off before an update of it has ended well: the bank that was asked for may hold its "
        + "running image, of which only the copy in its memory is left"
    /// A bad image that was marked as good counts as the newer one.
    private static let repeating: Advice =
        "if it runs the old version, the next update overwrites the bank of the old image, which may be the only good one: "
        + "before that, give the beacon steady power and a good link"

    private func again(after failure: UpdateFailure) -> Advice {
        guard update.stage == .begun else { return sentences("the beacon had everything", afterTheEnd) }
        let nearer: Advice = failure.code == .interrupted ? "" : "bring the beacon closer, then "
        return sentences(
            nearer + Self.onceMore + "; it begins at the first byte, because SUOTA cannot go on where it was",
            isInDanger ? Self.stayOn : present)
    }

    /// A 58x that has started its old image may have done so because the new one is bad.
    private var afterTheEnd: Advice {
        family == .da1458x
            ? mustStayOn
                ? sentences(Self.look, Self.stayOn)
                : sentences("switch the beacon off and on, then \(Self.look)", Self.repeating)
            : "\(Self.look), and \(Self.onceMore) if that is the old version"
    }

    /// What a device with two banks, or with a loader that copies, has while an upload is not finished.
    private var present: Advice {
        "meanwhile the beacon keeps its present image"
            + (family == .da1458x ? ", unless an earlier update of it ended with version-mismatch" : "")
    }

    /// A forced bank may be the running image's, and something of it was written.
    var isInDanger: Bool { family == .da1458x && preferences.bank != .oldest && update.bank != .untouched }

    /// The same, and the device has not said that the new image counts.
    private var mustStayOn: Bool { isInDanger && update.stage != .verified }

    private func sentences(_ first: Advice, _ second: Advice) -> Advice {
        "\(first). \(second.asSentence)"
    }
}
