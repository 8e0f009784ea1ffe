extension Explanation {
    /// What a Legacy bootloader refuses (nordic-legacy.md, Refusals).
    static let legacyRefusals = [
        Explanation(
            "wrong-state", .tryAgain,
            "The bootloader is in the middle of another update, and still was after a restart. Legacy DFU cannot "
                + "resume.",
            next: "power-cycle the beacon, or wait two minutes, then run the same command again"),
        Explanation(
            "extended-init-packet-required", .failed,
            "The package's init packet is a CRC16 and nothing else. Bootloaders of SDK 4.3 to 6.1 take that; this beacon's "
                + "wants an init packet that names device and SoftDevices. Nothing was sent.",
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
            "The bootloader's buffers are full although it acknowledges every single packet: its flash is busy or worn.",
            next: "power-cycle the beacon and flash again; a second time means a worn flash"),
        Explanation(
            "image-incomplete", .failed,
            "The bootloader repeatedly says that bytes of the image are missing.",
            next: "bring the beacon closer and flash again"),
        Explanation(
            "validation-unanswered", .failed,
            "The beacon has all bytes and does not say whether they are right, not even after they were sent again. "
                + "Some devices say nothing where the image does not have the init packet's checksum, so the image "
                + "may be wrong, or wrong in the beacon's flash. The old application is not replaced.",
            next:
                "see with `beacon-dfu inspect` whether the checksum matches; then power-cycle the beacon and flash again"
        ),
        Explanation(
            "transfer-stalled", .tryAgain,
            "The beacon stopped taking packets in the middle of the image without saying so, and did it again after a "
                + "restart. It still answers, so the link is up.",
            next: "power-cycle the beacon, then run the same command again"),
    ]
}
