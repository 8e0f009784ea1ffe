package import UpdateModel

/// Advice after a failed update (dialog-suota.md, Resume).
extension SUOTAProcedure {
    package func remedy(for failure: UpdateFailure) -> Advice? {
        switch failure.code {
        case .device.linkLost, .system.interrupted, .device.noAnswer:
            update.stage == .fresh ? nil : repeatAdvice(after: failure)
        case .device.versionMismatch where !mustStayPowered:
            family == .da1458x ? sentences(failure.remedy ?? Self.checkProgram, Self.beforeRepeating) : nil
        case .device.versionMismatch, .device.activationUnconfirmed: adviceAfterEnd
        case .device.didNotReappear:
            mustStayPowered ? sentences(Self.lookForBeacon, Self.keepPowered) : Self.recoverSilentBeacon
        default: endangersRunningImage ? sentences(failure.remedy ?? Self.runAgain, Self.keepPowered) : nil
        }
    }

    private static let runAgain: Advice = "run the same command again"
    private static let checkProgram: Advice = "check with \(task: .info) what the beacon runs"
    private static let lookForBeacon: Advice = "wait a minute and look for the beacon with \(task: .scan)"
    private static let recoverSilentBeacon: Advice =
        "wait a minute, then switch the beacon off and on, and look for it with \(task: .scan); if it stays silent, "
        + "it has no image that starts and needs one by cable"

    private static let keepPowered: Advice =
        "do not switch the beacon off before an update of it has succeeded: the selected bank may hold its "
        + "running image, of which only the copy in RAM is left"
    /// A DA1458x takes a bad image that is marked as valid for the newer one, so an update overwrites the other bank.
    private static let beforeRepeating: Advice =
        "if it runs the old version, the next update overwrites the bank of the old image, which may be the only good one: "
        + "before that, give the beacon reliable power and a good link"

    private func repeatAdvice(after failure: UpdateFailure) -> Advice {
        guard update.stage == .begun else { return sentences("the beacon had everything", adviceAfterEnd) }
        let nearer: Advice = failure.code == .system.interrupted ? "" : "bring the beacon closer, then "
        return sentences(
            nearer + Self.runAgain + "; it starts at the first byte, because SUOTA cannot resume",
            endangersRunningImage ? Self.keepPowered : presentImageAdvice)
    }

    /// Advice after the end command. A DA1458x may have started its old image because the new one is bad.
    private var adviceAfterEnd: Advice {
        family == .da1458x
            ? mustStayPowered
                ? sentences(Self.checkProgram, Self.keepPowered)
                : sentences("switch the beacon off and on, then \(Self.checkProgram)", Self.beforeRepeating)
            : "\(Self.checkProgram), and \(Self.runAgain) if that is the old version"
    }

    /// During an unfinished upload a device has its old image: in the other bank, or because its loader copies later.
    private var presentImageAdvice: Advice {
        "meanwhile the beacon keeps its present image"
            + (family == .da1458x ? ", unless an earlier update of it ended with version-mismatch" : "")
    }

    /// Whether the update may have written to the bank of the running image, because the bank was set explicitly.
    var endangersRunningImage: Bool {
        family == .da1458x && preferences.bank != .oldest && update.bank != .untouched
    }

    /// Whether the running image may be damaged in flash, and the device has not confirmed the new one.
    private var mustStayPowered: Bool { endangersRunningImage && update.stage != .verified }

    private func sentences(_ first: Advice, _ second: Advice) -> Advice { "\(first). \(second.asSentence)" }
}
