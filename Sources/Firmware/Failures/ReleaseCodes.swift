package import UpdateModel

/// Findings against a release as a whole.
package struct ReleaseCodes: FailureCodeGroup {
    package static let topic = FailureTopic.release

    package let fileNameExtension = FailureCode(
        "file-name-extension", .failed, "The file does not have the extension that tools look for.",
        next: "rename it to end with \(KnownVendors.extensionsByVendor)",
        rule: .policy, .warning, prevents: "Phone apps and vendors' tools do not list the file.")
    package let fileNamePattern = FailureCode(
        "file-name-pattern", .failed, "The file's name does not fit the pattern in the rules file.",
        next: "rename the file, or change file-name in the rules file", rule: .policy, .error,
        prevents: "Release scripts do not find a file with another name.")
    package let timestampFuture = FailureCode(
        "timestamp-future", .failed, "The image says that it was built later than now.",
        next: "set the clock of the build machine, and build the image again", rule: .policy, .error,
        prevents: "A wrong clock at the build makes this image look newer than every later release.")
    package let versionNotNewer = FailureCode(
        "version-not-newer", .failed, "The catalogue has a release of this model that is as new or newer.",
        next: "raise the version, or name the right model with \(.targetModel)", rule: .policy, .error,
        prevents:
            "Beacons that have the catalogue's newest release refuse a lower version, or are downgraded.")
    package let catalogueModelUnknown = FailureCode(
        "catalogue-model-unknown", .failed, "The version could not be compared with earlier releases.",
        next: "name the model with \(.targetModel), and add it to the catalogue", rule: .policy, .warning,
        prevents: "The version was not compared, because no model of the catalogue is named.")
    package let targetModelUnknown = FailureCode(
        "target-model-unknown", .failed,
        "The target is a model that the catalogue does not have, or has only for packages of other kinds.",
        next: "correct the name after model=, or add the model to the catalogue", rule: .policy, .error,
        prevents: "With a mistyped model, or one of another kind, the release is not compared and passes.")
    package let targetUndecided = FailureCode(
        "target-undecided", .failed,
        "What the beacon would do depends on facts that the target does not give.",
        next: "add the keys that the message names", rule: .compatibility, .warning,
        prevents: "Whether the target takes the file depends on facts that were not given.")
}

extension FailureCode {
    package static let release = ReleaseCodes()
}
