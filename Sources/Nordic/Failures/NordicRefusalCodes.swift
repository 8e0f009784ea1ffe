package import UpdateModel

package struct NordicRefusalCodes: FailureCodeGroup {
    package static let topic = FailureTopic.refusals

    static let custom: Advice =
        "the bootloader may be a custom one; ask its vendor, and report the output"

    package let wrongState = FailureCode(
        "wrong-state", .tryAgain,
        "The bootloader is in the middle of another update, and still was after a restart. Legacy DFU "
            + "cannot resume.",
        next: "power-cycle the beacon, or wait two minutes, then run the same command again")
    package let extendedInitPacketRequired = FailureCode(
        "extended-init-packet-required", .failed,
        "The package's init packet is only a CRC16. Bootloaders of SDK 4.3 to 6.1 take that; this beacon's "
            + "requires an init packet that names device and SoftDevices. Nothing was sent.",
        next: "build the package again with \(task: .build(.nordicLegacy))")
    package let imageTypeUnsupported = FailureCode(
        "image-type-unsupported", .failed,
        "The bootloader does not take what the package announces: some take applications only, and none "
            + "takes an application together with a SoftDevice or a bootloader.",
        next: "use a package with the application alone, or one for this bootloader")
    package let packetLengthRefused = FailureCode(
        "packet-length-refused", .failed,
        "The bootloader does not take packets of 20 bytes, which every known bootloader does.",
        next: "the bootloader may be a custom one; ask its vendor, and report the output")
    package let dataOverrun = FailureCode(
        "data-overrun", .failed, "The bootloader repeatedly counts more bytes than were announced.",
        next: "power-cycle the beacon and flash again")
    package let tooFast = FailureCode(
        "too-fast", .failed,
        "The bootloader's buffers are full although it acknowledges every single packet: its flash is busy "
            + "or worn.",
        next: "power-cycle the beacon and flash again; a second failure means a worn flash")
    package let imageIncomplete = FailureCode(
        "image-incomplete", .failed, "The bootloader repeatedly says that bytes of the image are missing.",
        next: "bring the beacon closer and flash again")
    package let validationUnanswered = FailureCode(
        "validation-unanswered", .failed,
        "The beacon has all bytes but does not report whether they are right, even after they were sent "
            + "again. Some bootloaders stay silent if the image does not match the init packet's checksum, "
            + "so the image may be wrong, in the package or in the beacon's flash. The old application is "
            + "not replaced.",
        next: "check with \(task: .inspect) whether the checksum matches; then power-cycle the beacon and "
            + "flash again")
    package let transferStalled = FailureCode(
        "transfer-stalled", .tryAgain,
        "The beacon silently stopped taking packets in the middle of the image, and did so again after a "
            + "restart. It still answers, so the link is up.",
        next: "power-cycle the beacon, then run the same command again")
    package let longPacketsLost = FailureCode(
        "long-packets-lost", .failed,
        "A Legacy bootloader was sent packets of more than 20 bytes because the user allowed it, and has taken none "
            + "of them. Its old application may be gone; the bootloader takes the update in shorter packets.",
        next: "run the same command again without \(.packetSize), or with less")
    package let opcodeNotSupported = FailureCode(
        "opcode-not-supported", .failed, "The bootloader does not know a request.",
        next: "its firmware is custom; ask its vendor for the update program")
    package let invalidParameter = FailureCode(
        "invalid-parameter", .failed, "The bootloader does not accept a request's parameter.",
        next: Self.custom)
    package let insufficientResources = FailureCode(
        "insufficient-resources", .failed, "The image or its init packet is too large for the beacon.",
        next: "build a smaller image, or one for this beacon's flash")
    package let initPacketTooLong = FailureCode(
        "init-packet-too-long", .failed, "The init packet is longer than the bootloader takes.",
        next: "build the package without boot validation by signature: old bootloaders take 256 bytes; "
            + "Legacy ones take 64, or 128 with two banks")
    package let initPacketRefused = FailureCode(
        "init-packet-refused", .failed,
        "The bootloader could not read the init packet, or (Legacy DFU) the beacon does not match it.",
        next: Self.custom)
    package let initPacketInvalid = FailureCode(
        "init-packet-invalid", .failed, "The bootloader finds a field of the init packet missing or wrong.",
        next: "build the package for this bootloader's SDK", rule: .compatibility, .error,
        prevents: "The target's bootloader refuses a field of the init packet (0B 04).")
    package let signatureInvalid = FailureCode(
        "signature-invalid", .failed,
        "The package is signed with another key than the one the bootloader holds.",
        next: "sign the package with this product's key; \(.publicKey) checks that before the radio is used",
        rule: .authenticity, .error,
        prevents: "A package signed with the development key is refused by every unit in the field (05).")
    package let signatureMissing = FailureCode(
        "signature-missing", .failed,
        "The bootloader takes signed packages only, and this one is not signed.",
        next: "sign the package with this product's key", rule: .authenticity, .error,
        prevents: "The product's bootloaders refuse the package (0B 08) in front of the customer.")
    package let signatureTypeUnsupported = FailureCode(
        "signature-type-unsupported", .failed, "Bootloaders take ECDSA P-256 signatures only.",
        next: "sign the package with an ECDSA P-256 key", rule: .authenticity, .error,
        prevents: "Bootloaders support ECDSA P-256 only and refuse the init packet (0B 0B).")
    package let softdeviceMismatch = FailureCode(
        "softdevice-mismatch", .failed, "The installed SoftDevice is not in the package's sd_req list.",
        next: "use a package that lists the installed SoftDevice, or update the SoftDevice first",
        rule: .compatibility, .error,
        prevents: "The target refuses the package (0B 07): its SoftDevice is not in the list.")
    package let hashFailed = FailureCode(
        "hash-failed", .failed, "The bootloader could not hash the image.", next: "flash again")
    package let bootValidationFailed = FailureCode(
        "boot-validation-failed", .failed, "The image does not pass the bootloader's check before start.",
        next: "build the package with the boot validation that the bootloader requires")
    package let flashBusy = FailureCode(
        "flash-busy", .failed, "The bootloader could not start to erase its flash.", next: "flash again")
    package let invalidObject = FailureCode(
        "invalid-object", .failed, "The bootloader has no such object.", next: Self.custom)
    package let operationNotPermitted = FailureCode(
        "operation-not-permitted", .failed, "The bootloader is not in the state for this request.",
        next: "flash again")
    package let operationFailed = FailureCode(
        "operation-failed", .failed,
        "The bootloader failed internally, or is an old one that gives no reasons: a debug package, a "
            + "version or a signature that does not fit.",
        next: "compare hw_version, sd_req and version in \(task: .inspect) with the beacon")
    package let unknownResult = FailureCode(
        "unknown-result", .failed, "The bootloader refused with a code that is not documented.",
        next: Self.custom)
    package let packageEmpty = FailureCode(
        "package-empty", .failed, "There is nothing to send.", next: "build the package again")
}

extension FailureCode {
    package static let nordicRefusal = NordicRefusalCodes()
}
