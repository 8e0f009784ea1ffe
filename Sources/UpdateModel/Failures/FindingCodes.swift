/// Findings that files of several vendors share.
public struct FindingCodes: FailureCodeGroup {
    public static let topic = FailureTopic.findings

    public let unknownFlags = FailureCode(
        "unknown-flags", .done, "Flags or reserved bytes with unknown meaning are set.",
        next: "a newer or custom tool made the image; ask its maker", rule: .hygiene, .note,
        prevents: "A flag without a known meaning changes what a receiver does.")
    public let unauthenticated = FailureCode(
        "unauthenticated", .done,
        "Nothing in the file proves who made it. Checksums detect damage; anyone who changes the file on "
            + "purpose writes new ones.",
        next: "get the file through a channel that you trust, and compare its SHA-256 with the maker's",
        rule: .authenticity, .note, prevents: "A file that was tampered with can have valid checksums.")
    public let fileNameVersion = FailureCode(
        "file-name-version", .failed, "The version in the file's name is not the one in the file.",
        next: "find out which of the two is right; beacons use the one in the file", topic: .release,
        rule: .policy, .note, prevents: "The bench picks the file by its name and installs another version.")
    public let sameImage = FailureCode(
        "same-image", .failed,
        "Another image has this version and this timestamp: one of the compared files, with another "
            + "program; or the one in the beacon's bank that would be overwritten.",
        next:
            "build the image again with its own version or timestamp; a beacon that has it already may "
            + "start it when it is switched off and on",
        topic: .release, rule: .policy, .error,
        prevents:
            "A receiver that has the earlier image answers 15, same image, and keeps it although the code "
            + "differs.")
    public let wrongDevice = FailureCode(
        "wrong-device", .failed,
        "The file is valid, but not for this beacon: it is for another model, or for beacons with another "
            + "kind of update.",
        next:
            "get the file for this beacon: \(task: .info) shows which kind of update it takes, \(task: .inspect) "
            + "a file's kind and model",
        topic: .release, rule: .compatibility, .error,
        prevents: "The file is for another model than the target.")
    public let wrongFamily = FailureCode(
        "wrong-family", .failed, "The image is for another family of Dialog chips.",
        next: "build the image with the header of this chip's family", topic: .release,
        rule: .compatibility, .error,
        prevents: "The image is for another family of chips than the target (status 0x12).")
    public let installedVersionTooLow = FailureCode(
        "installed-version-too-low", .failed, "The file only updates versions later than the installed one.",
        next: "install a version in between first; \(task: .inspect) shows the range", topic: .release,
        rule: .compatibility, .error, prevents: "The target needs an intermediate version first.")
    public let downgrade = FailureCode(
        "downgrade", .failed, "The beacon has a later version than the file installs.",
        next: "use a newer file, or make sure that the downgrade is intended", topic: .release,
        rule: .compatibility, .error, prevents: "The target would be downgraded to an earlier version.")
    public let catalogueMismatch = FailureCode(
        "catalogue-mismatch", .failed,
        "The package is for other hardware, another family of chips or another version than the catalogue "
            + "gives for it or for the model.",
        next:
            "use the package that the entry describes, or correct the entry; where \(.targetModel) was "
            + "given, name the right model",
        topic: .release, rule: .policy, .error,
        prevents: "The release is filed under a model whose beacons cannot take it.")
    public let targetUpToDate = FailureCode(
        "target-up-to-date", .failed, "The beacon has this version already.",
        next: "no action is needed, unless the image should have had a new version", topic: .release,
        rule: .compatibility, .error,
        prevents: "The target has this version already; nothing would be installed.")
}
