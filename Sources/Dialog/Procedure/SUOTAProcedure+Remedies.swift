public import UpdateModel

/// Advice on a failed update, and on what must be avoided (dialog-suota.md, Resume).
extension SUOTAProcedure {
    /// The failure's own remedy, with advice for the state of the device.
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
    private static let look: Advice = "check with \(task: .info) what the beacon runs"
    private static let listen: Advice = "wait a minute and look for the beacon with \(task: .scan)"
    private static let silent: Advice =
        "wait a minute, then switch the beacon off and on, and look for it with \(task: .scan); if it stays silent, "
        + "it has no image that starts and needs one by cable"

    private static let stayOn: Advice =
        "do not switch the beacon off before an update of it has succeeded: the selected bank may hold its "
        + "running image, of which only the copy in RAM is left"
    /// A bad image marked as valid counts as the newer one.
    private static let repeating: Advice =
        "if it runs the old version, the next update overwrites the bank of the old image, which may be the only good one: "
        + "before that, give the beacon reliable power and a good link"

    private func again(after failure: UpdateFailure) -> Advice {
        guard update.stage == .begun else { return sentences("the beacon had everything", afterTheEnd) }
        let nearer: Advice = failure.code == .interrupted ? "" : "bring the beacon closer, then "
        return sentences(
            nearer + Self.onceMore + "; it starts at the first byte, because SUOTA cannot resume",
            isInDanger ? Self.stayOn : present)
    }

    /// A 58x may have started its old image because the new one is bad.
    private var afterTheEnd: Advice {
        family == .da1458x
            ? mustStayOn
                ? sentences(Self.look, Self.stayOn)
                : sentences("switch the beacon off and on, then \(Self.look)", Self.repeating)
            : "\(Self.look), and \(Self.onceMore) if that is the old version"
    }

    /// The image that a device with two banks, or with a copying loader, has during an unfinished upload.
    private var present: Advice {
        "meanwhile the beacon keeps its present image"
            + (family == .da1458x ? ", unless an earlier update of it ended with version-mismatch" : "")
    }

    /// An explicitly set bank may be the running image's, and part of it was written.
    var isInDanger: Bool { family == .da1458x && preferences.bank != .oldest && update.bank != .untouched }

    /// The same, and the device has not confirmed the new image.
    private var mustStayOn: Bool { isInDanger && update.stage != .verified }

    private func sentences(_ first: Advice, _ second: Advice) -> Advice {
        "\(first). \(second.asSentence)"
    }
}
