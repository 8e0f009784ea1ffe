extension Explanation {
    /// Reasons not to release a file that a beacon might still take.
    package static let release = [
        entry(
            "key-not-given", "The package is signed, but no key was given to check the signature with.",
            next: "give the product's public key with --public-key"),
        entry(
            "stray-entries",
            "The archive has files that the manifest does not name; they are not sent.",
            next: "build the package again from the image alone, and find out what the files are"),
        entry(
            "file-name-extension", "The file does not have the extension that tools look for.",
            next: "rename it to end with .zip (Nordic), .img (SUOTA), .dfu or .fbu (Feasycom)"),
        entry(
            "file-name-version",
            "The version in the file's name is not the one in the file.",
            next: "find out which of the two is right; beacons use the one in the file"),
        entry(
            "file-name-pattern", "The file's name does not fit the pattern in the rules file.",
            next: "rename the file, or change file-name in the rules file"),
        entry(
            "timestamp-future", "The image says that it was built later than now.",
            next: "set the clock of the build machine, and build the image again"),
        entry(
            "same-image",
            "Another image has this version and this timestamp: one of the compared files, with another "
                + "program; or the one in the beacon's bank that would be overwritten.",
            next:
                "build the image again with its own version or timestamp; a beacon that has it already may "
                + "start it when it is switched off and on"),
        entry(
            "version-not-newer", "The catalogue has a release of this model that is as new or newer.",
            next: "raise the version, or name the right model with --target model="),
        entry(
            "catalogue-model-unknown",
            "The version could not be compared with earlier releases.",
            next: "name the model with --target model=, and add it to the catalogue"),
        entry(
            "target-model-unknown",
            "--target names a model that the catalogue does not have, or has only for packages of other kinds.",
            next: "correct the name after model=, or add the model to the catalogue"),
        entry(
            "debug-refused", "The bootloader was built for releases and takes no debug packages.",
            next: "build the package without --debug-mode"),
        entry(
            "wrong-device",
            "The file is valid, but not for this beacon: it is for another model, or for beacons with another "
                + "kind of update.",
            next:
                "get the file for this beacon: `beacon-dfu info` shows which kind of update it takes, "
                + "`beacon-dfu inspect` a file's kind and model"),
        entry(
            "wrong-family", "The image is for another family of Dialog chips.",
            next: "build the image with the header of this chip's family"),
        entry(
            "earlier-not-suota", "An earlier release is not a SUOTA image, and only those are compared.",
            next: "name the images with --earlier, or the folder that has only them"),
        entry(
            "installed-version-too-low",
            "The file only updates versions later than the installed one.",
            next: "install a version in between first; `beacon-dfu inspect` shows the range"),
        entry(
            "downgrade",
            "The beacon has a later version than the file installs.",
            next: "use a newer file, or make sure that the downgrade is intended"),
        entry(
            "catalogue-mismatch",
            "The package is for other hardware, another family of chips or another version than the catalogue "
                + "gives for it or for the model.",
            next:
                "use the package that the entry describes, or correct the entry; where --target model= was "
                + "given, name the right model"
        ),
        entry(
            "bootloader-version-too-low",
            "The file requires a newer bootloader than the beacon has.",
            next: "update the bootloader first"),
        entry(
            "target-up-to-date",
            "The beacon has this version already.",
            next: "no action is needed, unless the image should have had a new version"),
        entry(
            "target-undecided",
            "What the beacon would do depends on facts that --target does not give.",
            next: "add the keys that the message names"),
    ]

    private static func entry(_ code: String, _ meaning: String, next: String) -> Explanation {
        Explanation(code, .failed, meaning, next: next)
    }
}
