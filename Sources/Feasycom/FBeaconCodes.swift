package import UpdateModel

/// The failures of FBeacon files and updates.
package struct FBeaconCodes: FailureCodeGroup {
    package static let topic = FailureTopic("FBeacon")

    package let notAnOpenFBeacon = FailureCode(
        "not-an-open-fbeacon", .failed,
        "The beacon does not report that it takes open containers. A beacon that is told to enter an "
            + "upgrade might restore its default settings, because public sources disagree on the "
            + "command's meaning, and the maker's own beacons take only the maker's encrypted files. So "
            + "nothing was written to it.",
        next: "update the maker's own beacons with the maker's program; a beacon of your own has to show the "
            + "mark that docs/protocols/fbeacon.md describes")
    package let restoreDigitUnknown = FailureCode(
        "restore-digit-unknown", .failed,
        "The container requests the beacon's default settings after the update, and the beacon does not "
            + "report which of the two digits means that. Nothing was written to it.",
        next: "give the digit with \(.restoreDigit, "0") or 1, if the maker has told you which it is")
    package let packetRefused = FailureCode(
        "packet-refused", .tryAgain, "The beacon keeps refusing a packet of the transfer.",
        next: "bring the beacon closer, then run the same command again; it starts at the first byte")
    package let transferCancelled = FailureCode(
        "transfer-cancelled", .tryAgain,
        "The beacon ended the transfer early on every try. It does not report why.",
        next: "switch the beacon off and on, then run the same command again")
    package let notFBeacon = FailureCode(
        "not-fbeacon", .badFile, "The file does not have the marks of a Feasycom file.",
        next: FileCodes.again, topic: .files)
    package let bodyCRCMismatch = FailureCode(
        "body-crc-mismatch", .badFile,
        "Extension and payload do not match the checksum in the header: they are damaged.",
        next: FileCodes.again, topic: .files, rule: .integrity, .error,
        prevents: "A faulty copy installs a damaged image.")
    package let reservedFieldSet = FailureCode(
        "reserved-field-set", .badFile,
        "A reserved field of the open container is set; its meaning is unknown.",
        next: "use a newer version of this program, or build the container again", topic: .files,
        rule: .integrity, .error, prevents: "A receiver takes a field of a later format for something else.")
    package let extensionMalformed = FailureCode(
        "extension-malformed", .badFile, "The extension of the open container cannot be read.",
        next: FileCodes.remake, topic: .files, rule: .integrity, .error,
        prevents: "The model's name cannot be read, and the wrong unit is updated.")
    package let versionRangeReversed = FailureCode(
        "version-range-reversed", .badFile,
        "The lowest version that may be updated is above the version in the file.", next: FileCodes.remake,
        topic: .files, rule: .integrity, .error,
        prevents: "No installed version fits, so no beacon takes the file.")
    package let modelMissing = FailureCode(
        "model-missing", .done, "The file names no model: it fits any beacon, whatever it was made for.",
        next: "build the file with \(.modelName)", topic: .findings, rule: .compatibility, .warning,
        prevents: "A file that fits every model may be sent to the wrong one.")
    package let modelUnknown = FailureCode(
        "model-unknown", .done, "The model's number is in no public table.",
        next: "compare it with the number that the beacon advertises", topic: .findings,
        rule: .compatibility, .warning, prevents: "A mistyped model number fits no beacon.")
    package let modelAmbiguous = FailureCode(
        "model-ambiguous", .done, "The model's number stands for a beacon and for a module.",
        next: "find out which the file is for; \(.modelName, "NAME") writes the name into an open container",
        topic: .findings, rule: .compatibility, .note,
        prevents: "A module may get a beacon's firmware: both have this number.")
    package let modelMismatch = FailureCode(
        "model-mismatch", .done, "The model's number and its name belong to two models: no beacon has both.",
        next: "build the file with the right \(.modelName), and without \(.modelNumber)", topic: .findings,
        rule: .compatibility, .error,
        prevents: "No beacon has this number with this name, so none takes the file.")
    package let payloadEncrypted = FailureCode(
        "payload-encrypted", .done, "The vendor has encrypted the payload.",
        next: "flash it with the vendor's tool", topic: .findings, rule: .compatibility, .note,
        prevents: "Only the vendor's own tool can flash it.")
    package let fileShort = FailureCode(
        "file-short", .done, "The file is shorter than the vendor's programs read.",
        next: "get the file again, and compare its size", topic: .findings, rule: .integrity, .warning,
        prevents: "The vendor's programs refuse files this short without a reason.")
    package let bootloaderVersionTooLow = FailureCode(
        "bootloader-version-too-low", .failed, "The file requires a newer bootloader than the beacon has.",
        next: "update the bootloader first", topic: .release, rule: .compatibility, .error,
        prevents: "The target's bootloader is older than the file requires.")
}

extension FailureCode { package static let fbeacon = FBeaconCodes() }
