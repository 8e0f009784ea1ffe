import FirmwareModel
public import UpdateCore

/// What is looked at before the first byte (dialog-suota.md, Checks).
extension SUOTAProcedure {
    /// Whatever can be refused without the device.
    public func check() throws(UpdateFailure) {
        try checkImage()
        try checkRequests()
    }

    /// A DA1458x device takes any bytes under a right XOR, and finds out at its next start.
    func checkImage() throws(UpdateFailure) {
        guard image.header.codeSize > 0 else {
            throw .preparing("empty-payload", "there is nothing to install")
        }
        guard image.crcMatches != false else {
            throw .preparing("image-crc-mismatch", "the payload does not have the CRC-32 of its header")
        }
        guard image.trailing.isEmpty else {
            throw .preparing(
                "trailing-bytes",
                "there is more after the payload (\(image.trailing.count) B), and devices count")
        }
    }

    func checkRequests() throws(UpdateFailure) {
        if let size = preferences.blockSize { try BlockPlan.checkBlock(of: size, family) }
        if family == .da1458x, preferences.transport == .l2cap {
            throw .preparing(
                "channel-missing", "images for \(family.chips) cannot be sent over a channel",
                remedy: Self.withoutChannel)
        }
        if let limit = preferences.bankLimit, Int(image.header.codeSize) > limit {
            throw .preparing(
                "image-too-large",
                "the payload of \(image.header.codeSize) bytes does not fit the device's bank of \(limit)",
                remedy: "build a smaller image")
        }
        guard family == .da1458x else {
            guard preferences.pins.memory == .spi else {
                throw .preparing(
                    "memory-type-refused", "\(family.chips) keep images in their flash, not on I2C",
                    remedy: "leave \(.pins) out")
            }
            return
        }
        if preferences.bank != .oldest, !preferences.risks.contains(.runningBank) {
            throw .preparing(
                "running-bank-risk",
                "bank \(preferences.bank.rawValue) is what the command or its profile asks for, and nothing says whether it "
                    + "holds the running image: "
                    + "if it does, and power or link fail before the end, the device has no image left to start",
                remedy:
                    "leave the bank to the device with \(.bank, "0"), or take the risk with \(.risk, "running-bank")"
            )
        }
    }

    /// What the device shows of itself, against the image.
    mutating func checkDevice() throws(UpdateFailure) -> [UpdateNotice] {
        if family == .da1458x, link.facts.psm != nil {
            throw .preparing(
                "wrong-family",
                "the device offers a channel, which only DA1468x and DA1469x do; the image is for \(family.chips)",
                remedy: "use the image that was built for the chip in this device")
        }
        if let other = link.facts.family, other != family, !preferences.risks.contains(.wrongFamily) {
            throw .preparing(
                "wrong-family",
                "the device calls itself '\(link.facts.information[.model] ?? "")', which is a \(other.chips); the image is for "
                    + family.chips,
                remedy:
                    "use the image that was built for the chip in this device; if the device's text is wrong, "
                    + "\(.risk, "wrong-family") lets the device decide")
        }
        var notices: [UpdateNotice] = []
        if let version = versionText, link.facts.runs(version) {
            guard preferences.risks.contains(.sameVersion) else {
                throw .preparing(
                    "same-version", "the device runs version \(version) already, by its own words",
                    remedy: "nothing to do; \(.risk, "same-version") installs it once more")
            }
            update.hadVersion = true
            notices.append(
                .warning(
                    .sameVersion,
                    "the device runs version \(version) already; installing it once more proves nothing about the "
                        + "new image"))
        }
        return notices
    }

    /// What may go wrong with the cut that the user asked for.
    func planWarnings() -> [UpdateNotice] {
        guard family == .da1458x, attempt.channel == nil, preferences.blockSize != nil else { return [] }
        let plan = attempt.plan
        var notices: [UpdateNotice] = []
        if plan.blockSize > BlockPlan.smallBuffer, !link.facts.takesLargeBlocks {
            notices.append(
                .warning(
                    FailureCode(rawValue: "block-may-be-refused"),
                    "blocks of \(plan.blockSize) bytes were asked for; a device that does not say that it is of SDK 6 "
                        + "may have room for \(BlockPlan.smallBuffer)"))
        }
        if plan.endsWithLoneTrailer {
            notices.append(
                .warning(
                    FailureCode(rawValue: "lone-trailer"),
                    "with blocks of \(plan.blockSize) bytes the last one is the checksum byte alone, and a device may "
                        + "erase a sector for it"))
        }
        return notices
    }
}

extension UpdateFailure {
    /// What is found before the first byte.
    static func preparing(_ code: String, _ message: String, remedy: Advice? = nil) -> UpdateFailure {
        UpdateFailure(
            FailureCode(rawValue: code), during: SUOTAStep.preparing.rawValue, message: message,
            remedy: remedy)
    }
}
