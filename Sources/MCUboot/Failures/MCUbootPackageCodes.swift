package import UpdateModel

package struct MCUbootPackageCodes: FailureCodeGroup {
    package static let topic = FailureTopic.files

    static let build: Advice = "build the package again with the nRF Connect SDK"

    package let manifestInvalid = FailureCode(
        "mcuboot-manifest-invalid", .badFile,
        "The manifest of a package of the nRF Connect SDK has a field that cannot be read.",
        next: Self.build, rule: .integrity, .error,
        prevents: "A hand-edited manifest makes a tool send an image into the wrong slot.")
    package let formatVersion = FailureCode(
        "mcuboot-format-version", .badFile,
        "The package of the nRF Connect SDK has a format that this version does not know.",
        next: "use a newer version of this program", rule: .compatibility, .error,
        prevents: "A manifest of a later format has fields that tools misread.")
    package let withoutFiles = FailureCode(
        "mcuboot-package-empty", .badFile, "The package of the nRF Connect SDK names no image.",
        next: Self.build, rule: .integrity, .error,
        prevents: "A package without images reports success and updates nothing.")
    package let slotTwice = FailureCode(
        "mcuboot-slot-twice", .badFile,
        "The package has two files for the same slot of an image, or one file for two places.",
        next: Self.build, rule: .integrity, .error,
        prevents: "A beacon gets the one of two files that was linked for its other slot.")
    package let suit = FailureCode(
        "suit-package", .badFile, "The file is for SUIT, the updates of the nRF54H20.",
        next: "use the maker's application; this program updates beacons with MCUboot", rule: .compatibility,
        .error, prevents: "A beacon with MCUboot cannot take a SUIT envelope.")
    package let sizeDiffers = FailureCode(
        "mcuboot-size-differs", .done, "A file of the package has another size than the manifest says.",
        next: Self.build, topic: .findings, rule: .integrity, .warning,
        prevents: "A file was replaced in the package without building it again.")
    package let versionDiffers = FailureCode(
        "mcuboot-version-differs", .done,
        "The version in the manifest is not the one in the image's header, which beacons use.",
        next: Self.build, topic: .findings, rule: .integrity, .warning,
        prevents: "The bench installs another version than the one that it shows.")
    package let variantsDiffer = FailureCode(
        "mcuboot-variants-differ", .done, "The variants of an image for two slots have different versions.",
        next: Self.build, topic: .findings, rule: .compatibility, .warning,
        prevents: "The slot that is free decides which version a beacon gets.")
    package let typeUnknown = FailureCode(
        "mcuboot-type-unknown", .done,
        "The manifest gives a file a type that this program does not know; the file is sent as an image.",
        next: "find out what the file is; packages for MCUboot have the types application and mcuboot",
        topic: .findings, rule: .compatibility, .warning,
        prevents: "A file for another part, such as a modem, is sent as the application.")
    package let unlisted = FailureCode(
        "mcuboot-unlisted-files", .failed,
        "The package has files that the manifest does not name; they are not sent.",
        next: "build the package again, and find out what the files are", topic: .release,
        rule: .hygiene, .warning, prevents: "Sources, keys or notes are published inside the package.")
    package let dependencyUnmet = FailureCode(
        "mcuboot-dependency-unmet", .badFile,
        "An image needs a later version of another image than the package has.",
        next: Self.build, topic: .findings, rule: .compatibility, .error,
        prevents: "The uploads succeed, and the bootloader installs neither image.")
    package let dependencyOpen = FailureCode(
        "mcuboot-dependency-open", .done,
        "An image needs another image that the package does not have; the beacon must have it already.",
        next: "make sure that the beacons have it, or use a package with all images", topic: .findings,
        rule: .compatibility, .note,
        prevents: "The upload succeeds, and the bootloader does not install the image.")
    package let slotMissing = FailureCode(
        "mcuboot-slot-missing", .done,
        "The package has the variant of one slot only. A beacon that runs from this slot cannot take it.",
        next: "use the package with both variants", topic: .findings, rule: .compatibility, .warning,
        prevents: "Every second beacon has the wrong slot free and refuses the image.")
    package let networkCoreMissing = FailureCode(
        "mcuboot-network-core-missing", .done,
        "The package is for an nRF5340 and has no image for its network core, which keeps its own.",
        next: "no action is needed if the program of the network core did not change", topic: .findings,
        rule: .compatibility, .note,
        prevents: "The application meets a network core of another release, and the radio stays silent.")
    package let bootloader = FailureCode(
        "mcuboot-bootloader-package", .done,
        "The package updates the bootloader itself. A bootloader that does not start cannot be repaired over "
            + "the air.",
        next: "use the package of the application, dfu_application.zip", topic: .findings,
        rule: .compatibility, .warning, prevents: "A tray of beacons gets a bootloader that does not start.")
}

extension FailureCode { static let mcubootPackage = MCUbootPackageCodes() }
