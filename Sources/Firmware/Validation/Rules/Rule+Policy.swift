import UpdateModel

extension Rule {
    /// Rules that an organisation sets for its releases.
    static let policyRules = [
        Rule(
            "debug", .policy, .error,
            "Debug bootloaders skip the version checks, and release bootloaders of SDK 12 to 14 refuse it (0A)."
        ),
        Rule(
            "firmware-version-final", .policy, .error,
            "After FFFFFFFF no beacon ever takes another application: there is no higher version."),
        Rule(
            "version-missing", .policy, .warning,
            "The version that a beacon runs cannot be seen from outside."),
        Rule("version-not-text", .policy, .note, "Tools show the version as question marks."),
        Rule(
            "version-not-newer", .policy, .error,
            "Beacons that have the catalogue's newest release refuse a lower version, or are downgraded."),
        Rule(
            "same-image", .policy, .error,
            "A receiver that has the earlier image answers 15, same image, and keeps it although the code differs."
        ),
        Rule(
            "timestamp-future", .policy, .error,
            "A wrong clock at the build makes this image look newer than every later release."),
        Rule(
            "timestamp-missing", .policy, .warning,
            "Receivers tell images apart by version and timestamp; without one two builds are the same."),
        Rule(
            "timestamp-implausible", .policy, .warning,
            "An image of 1970 looks older than every earlier release."),
        Rule(
            "catalogue-mismatch", .policy, .error,
            "The release is filed under a model whose beacons cannot take it."),
        Rule(
            "catalogue-model-unknown", .policy, .warning,
            "The version was not compared, because no model of the catalogue is named."),
        Rule(
            "target-model-unknown", .policy, .error,
            "With a mistyped model, or one of another kind, the release is not compared and passes."
        ),
        Rule("file-name-extension", .policy, .warning, "Phone apps and vendors' tools do not list the file."),
        Rule(
            "file-name-version", .policy, .note,
            "The bench picks the file by its name and installs another version."),
        Rule(
            "file-name-pattern", .policy, .error,
            "Release scripts do not find a file with another name."),
    ]

    /// Rules about faults that are harmless until they surprise a user.
    static let hygieneRules = [
        Rule("entry-name-unsafe", .hygiene, .error, "Unpacking the archive writes outside of its folder."),
        Rule(
            "entry-name-backslash", .hygiene, .error,
            "Flashing tools do not find the manifest, because its name includes a folder."),
        Rule(
            "entry-duplicate", .hygiene, .error,
            "One tool flashes the first file of this name, another the second."),
        Rule("entry-encrypted", .hygiene, .error, "Flashing tools cannot ask for a password."),
        Rule("entry-method-unsupported", .hygiene, .error, "Phones unpack stored and deflated entries only."),
        Rule(
            "archive-too-large", .hygiene, .error, "Phones refuse large archives, and a bomb fills the disk."),
        Rule(
            "stray-entries", .hygiene, .warning, "Sources, keys or notes are published inside the package."),
        Rule(
            "op-code-unusual", .hygiene, .note,
            "A custom packager's command means something to another bootloader."),
        Rule(
            "boot-validation-bytes", .hygiene, .note,
            "Bytes that are never read may hide a mistake of the packager."),
        Rule(
            "unknown-field", .hygiene, .note,
            "A custom packager's field means something to another bootloader."),
        Rule(
            "extension-unknown", .hygiene, .note, "A custom tool's section means something to another loader."
        ),
        Rule(
            "unknown-flags", .hygiene, .note, "A flag without a known meaning changes what a receiver does."),
        Rule(
            "valid-flag-unusual", .hygiene, .note, "The file is a copy of a flash, not the output of a build."
        ),
    ]
}
