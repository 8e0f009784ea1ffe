extension Explanation {
    /// Refusals of a Nordic bootloader (nordic-secure.md, Refusals).
    package static let refusals = [
        refusal(
            "opcode-not-supported",
            "The bootloader does not know a request.",
            next: "its firmware is custom; ask its vendor for the update program"),
        refusal("invalid-parameter", "The bootloader does not accept a request's parameter.", next: custom),
        refusal(
            "insufficient-resources",
            "The image or its init packet is too large for the beacon.",
            next: "build a smaller image, or one for this beacon's flash"),
        refusal(
            "insufficient-space",
            "The image does not fit the beacon's flash next to the running application.",
            next: "build a smaller image, or one for this beacon's flash"),
        refusal(
            "init-packet-too-long", "The init packet is longer than the bootloader takes.",
            next:
                "build the package without boot validation by signature: old bootloaders take 256 bytes; Legacy ones "
                + "take 64, or 128 with two banks"),
        refusal("init-packet-refused", "The bootloader could not read the init packet.", next: custom),
        refusal(
            "init-packet-invalid", "The bootloader finds a field of the init packet missing or wrong.",
            next: "build the package for this bootloader's SDK"),
        refusal(
            "signature-invalid", "The package is signed with another key than the one the bootloader holds.",
            next:
                "sign the package with this product's key; --public-key checks that before the radio is used"),
        refusal(
            "signature-missing", "The bootloader takes signed packages only, and this one is not signed.",
            next: "sign the package with this product's key"),
        refusal(
            "signature-type-unsupported", "Bootloaders take ECDSA P-256 signatures only.",
            next: "sign the package with an ECDSA P-256 key"),
        refusal(
            "firmware-version-too-low",
            "The installed application has a higher version, or the installed bootloader the same or a higher "
                + "one: a bootloader accepts the installed application version again, but not its own, and never a "
                + "lower one.",
            next:
                "build the package with the installed version, or a higher one (for a bootloader only a higher "
                + "one): `beacon-dfu info` shows the application's version; if the bootloader counts differently, "
                + "--force lower-version leaves the decision to it"),
        refusal(
            "hardware-version-mismatch", "The package is for other hardware.",
            next: "use the package for this hardware; `beacon-dfu inspect` shows hw_version, or device_type"),
        refusal(
            "softdevice-mismatch",
            "The installed SoftDevice is not in the package's sd_req list.",
            next: "use a package that lists the installed SoftDevice, or update the SoftDevice first"),
        refusal("hash-failed", "The bootloader could not hash the image.", next: "flash again"),
        refusal(
            "image-hash-mismatch",
            "Every byte arrived, but the beacon's flash does not hold the image: the flash could not keep up or "
                + "is worn, or the package's hash is wrong. For a file: the payload does not have its SHA-256.",
            next: "flash again; a second failure means a worn flash"),
        refusal(
            "boot-validation-failed",
            "The image does not pass the bootloader's check before start.",
            next: "build the package with the boot validation that the bootloader requires"),
        refusal("flash-busy", "The bootloader could not start to erase its flash.", next: "flash again"),
        refusal("invalid-object", "The bootloader has no such object.", next: custom),
        refusal(
            "operation-not-permitted", "The bootloader is not in the state for this request.",
            next: "flash again"),
        refusal(
            "operation-failed",
            "The bootloader failed internally, or is an old one that gives no reasons: a debug package, a "
                + "version or a signature that does not fit.",
            next: "compare hw_version, sd_req and version in `beacon-dfu inspect` with the beacon"),
        refusal(
            "unknown-result", "The bootloader refused with a code that is not documented.", next: custom),
        refusal("package-empty", "There is nothing to send.", next: "build the package again"),
    ]

    private static let custom = "the bootloader may be a custom one; ask its vendor, and report the output"

    private static func refusal(_ code: String, _ meaning: String, next: String) -> Explanation {
        Explanation(code, .failed, meaning, next: next)
    }

    /// Warnings of an update that continued, and the one failure that some of them can become.
    package static let outcomes = [
        Explanation(
            "activation-unconfirmed", .tryAgain,
            "The beacon never confirmed the image or its start, because the link ended or an answer was lost, "
                + "and nothing that came up proves that the image runs: the application shows no version, or one that "
                + "may have run before. It is only a warning with --no-verify, if the application shows the version "
                + "that was sent but the one before is not known, and if a beacon that has confirmed the image "
                + "answers, but not long enough to be read.",
            next:
                "see with `beacon-dfu info` what runs; to send the image again, select the address where "
                + "`beacon-dfu scan` shows the beacon now"),
        Explanation(
            "version-differs", .done,
            "The application shows another version than the package's, and not the one that it showed before: "
                + "the vendor numbers packages differently.",
            next: "no action is needed; --expect-version makes the exact text a condition"),
        Explanation(
            "version-unchanged", .done,
            "The application shows the same version as before the update, in a text that cannot be compared "
                + "with the package's number. The bootloader has confirmed the image.",
            next:
                "no action is needed if the same version was installed again; --expect-version makes the text a "
                + "condition"
        ),
        Explanation(
            "part-skipped", .done,
            "The beacon refuses the package's first part as one that need not be installed, as it does when it "
                + "already has that part. The update continues with the next part, which the beacon checks against "
                + "what it has.",
            next: "no action is needed if the update ends well"),
        Explanation(
            "application-missing", .done,
            "A new SoftDevice or bootloader is installed, and the beacon stays in its bootloader because no "
                + "application runs with it.",
            next: "flash an application for the new SoftDevice"),
    ]
}
