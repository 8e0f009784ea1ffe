/// What happens to a device and to its links during an update, and how the update ends.
public struct DeviceCodes: FailureCodeGroup {
    public static let topic = FailureTopic.devices

    public let batteryLow = FailureCode(
        "battery-low", .failed,
        "The beacon advertises a battery that is too low for an update: flash needs current to be written, "
            + "and some products drop an update silently.",
        next: "give the beacon a fresh battery, then run the same command again")
    public let linkLost = FailureCode(
        "link-lost", .tryAgain,
        "The link to the beacon was lost repeatedly, or the beacon was no longer heard.",
        next:
            "bring the beacon closer or give it fresh power, then run the same command again: Nordic's "
            + "Secure DFU resumes if the beacon keeps what it has, Legacy DFU and SUOTA start again at "
            + "the first byte",
        isUnreached: true)
    public let connectionNotEstablished = FailureCode(
        "connection-not-established", .tryAgain,
        "The beacon is heard, but no connection to it was established. Either it does not accept "
            + "connections at the moment, or this machine's Bluetooth makes none: a kernel that has lost "
            + "track of a link waits forever.",
        next:
            "bring the beacon closer; if no beacon can be connected to, switch the adapter off and on "
            + "(`btmgmt power off` and `btmgmt power on`, or pull it out and plug it in), then run the "
            + "same command again",
        isUnreached: true)
    public let beaconInUse = FailureCode(
        "beacon-in-use", .tryAgain,
        "Another beacon-dfu, on this machine, is updating or reading this beacon. Two at once would disturb "
            + "each other, and on some kernels bring the machine's Bluetooth down.",
        next: "wait until the program that the message names has ended, then run the same command again",
        unit: .error)
    public let beaconHeld = FailureCode(
        "beacon-held", .tryAgain,
        "Another program on this machine has a link to this beacon, and a beacon takes one at a time. "
            + "Usually that is bluetoothd. A scan that bypasses the kernel (hcitool, hcidump) looks the "
            + "same.",
        next:
            "`bluetoothctl disconnect ADDRESS`, or end the program that is connected, then run the same "
            + "command again",
        unit: .error)
    public let adapterBusy = FailureCode(
        "adapter-busy", .tryAgain,
        "An adapter makes one connection at a time, and another beacon-dfu, on this machine, was connecting "
            + "all the time.",
        next:
            "run the same command again when the program that the message names is done, or use another "
            + "\(.adapter)",
        unit: .error)
    public let tooManyLinks = FailureCode(
        "too-many-links", .tryAgain,
        "A Bluetooth controller holds a few links at a time (5 to 20, by its model), and this one is full: "
            + "other programs, or other updates of this program, hold the rest. This says nothing about "
            + "the beacon.",
        next:
            "close other connections (`btmgmt con` lists them), or use another \(.adapter), then run the "
            + "same command again",
        unit: .error)
    public let noAnswer = FailureCode(
        "no-answer", .tryAgain,
        "The beacon is connected but does not answer. A bootloader whose packet buffers are used up "
            + "behaves like that until it restarts, after 120 s at the latest.",
        next: "wait two minutes or power-cycle the beacon, then run the same command again",
        isUnreached: true)
    public let unexpectedAnswer = FailureCode(
        "unexpected-answer", .failed, "The beacon gave an answer that no known bootloader gives.",
        next: "run again with \(.logLevel, "debug") and report the output; the bootloader may be a custom one"
    )
    public let attributeRefused = FailureCode(
        "attribute-refused", .failed,
        "The beacon refused access to an attribute, or lacks one that a bootloader has.",
        next: "run again with \(.logLevel, "debug"), and check that the package is for this kind of beacon")
    public let updatesNotAllowed = FailureCode(
        "updates-not-allowed", .failed,
        "The beacon refuses access for lack of authorization (ATT error 08): updates are switched off in "
            + "its settings, or it has to be paired first. Nothing was written.",
        next:
            "allow updates in the beacon's own settings (a watch has them in its menu), then run the same "
            + "command again")
    public let encryptionFailed = FailureCode(
        "encryption-failed", .failed,
        "The beacon requires an encrypted link. It refused to pair, is bonded to another phone or "
            + "computer, or took too long to encrypt.",
        next:
            "remove the beacon's bond where it was made, and run the command with CAP_NET_ADMIN, which "
            + "pairing needs")
    public let notInBootloader = FailureCode(
        "not-in-bootloader", .failed,
        "The beacon runs its application, which offers no way into the bootloader. Only the bootloader "
            + "takes firmware. A bootloader of another kind than the package's (Secure, Legacy) looks the "
            + "same.",
        next:
            "start the bootloader (button at power-up, or the vendor's app), then select the bootloader's "
            + "address from \(task: .scan); \(task: .info) shows whether it takes files of another kind")
    public let entryRefused = FailureCode(
        "entry-refused", .failed, "The beacon's application was asked to start the bootloader, and refused.",
        next:
            "power-cycle the beacon and run the same command again, or start its bootloader by hand "
            + "(button at power-up, or the vendor's app)")
    public let bootloaderNotEntered = FailureCode(
        "bootloader-not-entered", .failed,
        "The application confirmed that it would start its bootloader, but was still running after every "
            + "try.",
        next: "power-cycle the beacon; start its bootloader by hand and select the bootloader's address")
    public let bootloaderNotFound = FailureCode(
        "bootloader-not-found", .tryAgain,
        "The application has ended, and nothing that could be its bootloader was heard. It may be slow, or "
            + "use an address of the vendor's choosing without the name that it was given.",
        next:
            "look for it with \(task: .scan) and select it by its address; it waits for two minutes. For one that "
            + "starts slowly, run the same command with more seconds for \(.bootloaderTimeout)")
    public let bootloaderAmbiguous = FailureCode(
        "bootloader-ambiguous", .failed,
        "More than one beacon could be the bootloader of the selected one: one at its address was there "
            + "before, two have the same name, or two have appeared since. Or the selected application is "
            + "silent, and the beacon that takes updates at the next address does not show that it is its "
            + "bootloader. Nothing is flashed on a guess.",
        next: "switch the other beacons off or take them away, then run the same command again")
    public let applicationAssumed = FailureCode(
        "application-assumed", .done,
        "The selected bootloader confirmed the image and left, and its application was heard at none of "
            + "the addresses that follow from the bootloader's. The only beacon that was not heard before "
            + "shows the version that was sent, and is taken for it.",
        next: "no action is needed; if several beacons are nearby, check that it was this one")
    public let bootloaderAssumed = FailureCode(
        "bootloader-assumed", .done,
        "The selected address is silent, and the next one is a bootloader: by Nordic's address rule it "
            + "belongs to the same unit, for example after an interrupted update. Or a beacon with a "
            + "public address has left for its bootloader, and exactly one has appeared nearby since. Or "
            + "the bootloader at the next address does not show the name that the application was asked to "
            + "give it.",
        next: "no action is needed; if several beacons are nearby, check that it was this one")
    public let leftBootloader = FailureCode(
        "left-bootloader", .tryAgain,
        "The beacon restarted and went back to its old application before it had the whole image: its "
            + "power failed, or it received nothing for 120 s.",
        next: "start its bootloader again and run the same command")
    public let partsLeft = FailureCode(
        "parts-left", .tryAgain,
        "One part of a package is installed, and the rest was not sent. The beacon then started an "
            + "application instead of its bootloader. Only the bootloader's address had been selected, and "
            + "an application at another address might be another beacon's.",
        next:
            "select the beacon by its application's address and run the command again; the installed part "
            + "is skipped")
    public let activationFailed = FailureCode(
        "activation-failed", .failed,
        "The beacon took the whole image and then came back in its bootloader instead of the application. "
            + "A beacon that takes updates in its application and shows nothing else looks the same.",
        next: "check that the image suits the beacon and its SoftDevice; then flash again")
    public let versionMismatch = FailureCode(
        "version-mismatch", .failed,
        "The application that came up shows a version other than the expected one: the old firmware runs, "
            + "or the application numbers its versions differently from the package.",
        next: "compare \(task: .info) with the package; \(.expectedVersion) names the text to look for",
        onTray: "compare \(task: .info) with the package; \(task: .flash) with \(.expectedVersion) updates a "
            + "unit that numbers its versions differently")
    public let didNotReappear = FailureCode(
        "did-not-reappear", .failed,
        "The beacon took the whole image and was not heard again. It may still be starting, or the new "
            + "application does not advertise at an address that can be predicted.",
        next:
            "look for it with \(task: .scan), also under another address, then switch it off and on; "
            + "\(task: .info) shows what runs",
        unit: .unknown)
    public let imageCRCMismatch = FailureCode(
        "image-crc-mismatch", .failed,
        "The image does not match its checksum. During an update: the same part was sent several times and "
            + "never arrived intact. For a file: the header was made for another payload.",
        next:
            "bring beacon and adapter closer together, and away from other radios, then run the same "
            + "command again; for a file: get it again",
        rule: .integrity, .error,
        prevents:
            "DA1458x receivers report success for a damaged image; the beacon starts its old one, or none.")
    public let sameVersion = FailureCode(
        "same-version", .nothingToDo,
        "The beacon reports that it runs this version already; nothing was sent to it.",
        next: "no action is needed; \(.risk, "same-version") installs it once more")
    public let updateServiceMissing = FailureCode(
        "update-service-missing", .failed, "The beacon has no service that takes firmware of this kind.",
        next: "check with \(task: .info) what it has; it may need a package of another kind")
    public let deviceNotFound = FailureCode(
        "device-not-found", .deviceNotFound,
        "No beacon that was heard matches the selector. A beacon in its bootloader has another address "
            + "than in its application: usually the last byte is higher by one.",
        next: "check the address with \(task: .scan), power, and distance; \(.scanTime) listens longer",
        topic: .commandLine, onTray: "check that the unit is there and switched on, then use \(.retryFailed)",
        isUnreached: true)
    public let deviceAmbiguous = FailureCode(
        "device-ambiguous", .failed,
        "More than one beacon matches the selector. Nothing is flashed on a guess.",
        next: "select one of them by its address", topic: .commandLine, unit: .error,
        onTray: "give the slot the address of its beacon in the tray file")
    public let insufficientSpace = FailureCode(
        "insufficient-space", .failed,
        "The image does not fit the beacon's flash next to the running application.",
        next: "build a smaller image, or one for this beacon's flash", topic: .refusals,
        rule: .compatibility, .error,
        prevents: "The target refuses the package (04, or status 0x13): it does not fit.")
    public let firmwareVersionTooLow = FailureCode(
        "firmware-version-too-low", .failed,
        "The installed application has a higher version, or the installed bootloader the same or a higher "
            + "one: a bootloader accepts the installed application version again, but not its own, and "
            + "never a lower one.",
        next:
            "build the package with the installed version, or a higher one (for a bootloader only a higher "
            + "one): \(task: .info) shows the application's version; if the bootloader counts "
            + "differently, \(.risk, "lower-version") leaves the decision to it",
        topic: .refusals, rule: .compatibility, .error,
        prevents:
            "The target refuses the package (0B 05): its version is too low, or a bootloader's is not "
            + "higher.")
    public let hardwareVersionMismatch = FailureCode(
        "hardware-version-mismatch", .failed, "The package is for other hardware.",
        next: "use the package for this hardware; \(task: .inspect) shows hw_version, or device_type",
        topic: .refusals, rule: .compatibility, .error,
        prevents: "The target refuses the package (0B 06): it is for other hardware.")
    public let imageHashMismatch = FailureCode(
        "image-hash-mismatch", .failed,
        "Every byte arrived, but the beacon's flash does not hold the image: the flash could not keep up "
            + "or is worn, or the package's hash is wrong. For a file: the payload does not have its "
            + "SHA-256.",
        next: "flash again; a second failure means a worn flash", topic: .refusals, rule: .integrity, .error,
        prevents: "A faulty copy installs a damaged image.")
    public let imageRefused = FailureCode(
        "image-refused", .failed,
        "The beacon's own program refuses the image, usually because of its signature.",
        next: "use an image that was made and signed for this product", topic: .refusals)
    public let activationUnconfirmed = FailureCode(
        "activation-unconfirmed", .tryAgain,
        "The beacon never confirmed the image or its start, because the link ended or an answer was lost, "
            + "and nothing that came up proves that the image runs: the application shows no version, or "
            + "one that may have run before. It is only a warning if verification is off, if the application "
            + "shows the version that was sent but the one before is not known, and if a beacon that has "
            + "confirmed the image answers, but not long enough to be read.",
        next:
            "check with \(task: .info) what runs; to send the image again, select the address where "
            + "\(task: .scan) shows the beacon now",
        topic: .outcomes, unit: .unknown)
    public let versionDiffers = FailureCode(
        "version-differs", .done,
        "The application shows another version than the package's, and not the one that it showed before: "
            + "the vendor numbers packages differently.",
        next: "no action is needed; \(.expectedVersion) makes the exact text a condition", topic: .outcomes)
    public let versionUnchanged = FailureCode(
        "version-unchanged", .done,
        "The application shows the same version as before the update, in a text that cannot be compared "
            + "with the package's number. The bootloader has confirmed the image.",
        next:
            "no action is needed if the same version was installed again; \(.expectedVersion) makes the "
            + "text a condition",
        topic: .outcomes)
    public let partSkipped = FailureCode(
        "part-skipped", .done,
        "The beacon refuses the package's first part as one that need not be installed, as it does when it "
            + "already has that part. The update continues with the next part, which the beacon checks "
            + "against what it has.",
        next: "no action is needed if the update ends well", topic: .outcomes)
    public let applicationMissing = FailureCode(
        "application-missing", .done,
        "A new SoftDevice or bootloader is installed, and the beacon stays in its bootloader because no "
            + "application runs with it.",
        next: "flash an application for the new SoftDevice", topic: .outcomes)
}
