extension Explanation {
    /// Refusals of a Legacy bootloader (nordic-legacy.md, Refusals).
    static let legacyRefusals = [
        Explanation(
            "wrong-state", .tryAgain,
            "The bootloader is in the middle of another update, and still was after a restart. Legacy DFU cannot "
                + "resume.",
            next: "power-cycle the beacon, or wait two minutes, then run the same command again"),
        Explanation(
            "extended-init-packet-required", .failed,
            "The package's init packet is only a CRC16. Bootloaders of SDK 4.3 to 6.1 take that; this beacon's "
                + "requires an init packet that names device and SoftDevices. Nothing was sent.",
            next: "build the package again with `beacon-dfu build nordic-legacy`"),
        Explanation(
            "image-type-unsupported", .failed,
            "The bootloader does not take what the package announces: some take applications only, and none takes an "
                + "application together with a SoftDevice or a bootloader.",
            next: "use a package with the application alone, or one for this bootloader"),
        Explanation(
            "packet-length-refused", .failed,
            "The bootloader does not take packets of 20 bytes, which every known bootloader does.",
            next: "the bootloader may be a custom one; ask its vendor, and report the output"),
        Explanation(
            "data-overrun", .failed, "The bootloader repeatedly counts more bytes than were announced.",
            next: "power-cycle the beacon and flash again"),
        Explanation(
            "too-fast", .failed,
            "The bootloader's buffers are full although it acknowledges every single packet: its flash is busy "
                + "or worn.",
            next: "power-cycle the beacon and flash again; a second failure means a worn flash"),
        Explanation(
            "image-incomplete", .failed,
            "The bootloader repeatedly says that bytes of the image are missing.",
            next: "bring the beacon closer and flash again"),
        Explanation(
            "validation-unanswered", .failed,
            "The beacon has all bytes but does not report whether they are right, even after they were sent "
                + "again. Some bootloaders stay silent if the image does not match the init packet's checksum, so the "
                + "image may be wrong, in the package or in the beacon's flash. The old application is not replaced.",
            next:
                "check with `beacon-dfu inspect` whether the checksum matches; then power-cycle the beacon and "
                + "flash again"
        ),
        Explanation(
            "transfer-stalled", .tryAgain,
            "The beacon silently stopped taking packets in the middle of the image, and did so again after a "
                + "restart. It still answers, so the link is up.",
            next: "power-cycle the beacon, then run the same command again"),
    ]
}
