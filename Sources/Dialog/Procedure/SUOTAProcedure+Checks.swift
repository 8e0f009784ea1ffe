public import UpdateModel

/// Checks before the first byte (dialog-suota.md, Checks).
extension SUOTAProcedure {
    /// Checks that need no device.
    public func check() throws(UpdateFailure) {
        try checkImage()
        try checkRequests()
    }

    /// A DA1458x device accepts any bytes with a correct XOR, and detects the error at its next start.
    func checkImage() throws(UpdateFailure) {
        guard image.header.codeSize > 0 else {
            throw .preparing("empty-payload", "there is nothing to install")
        }
        guard image.crcMatches != false else {
            throw .preparing("image-crc-mismatch", "the payload does not match the CRC-32 in its header")
        }
        guard image.trailing.isEmpty else {
            throw .preparing(
                "trailing-bytes",
                "\(image.trailing.count) bytes follow the payload, which beacons would count")
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
                "the payload of \(image.header.codeSize) bytes does not fit the beacon's bank of \(limit)",
                remedy: "build a smaller image")
        }
        guard family == .da1458x else {
            guard preferences.pins.memory == .spi else {
                throw .preparing(
                    "memory-type-refused", "\(family.chips) keep images in their flash, not on I2C",
                    remedy: "omit \(.pins)")
            }
            return
        }
        if preferences.bank != .oldest, !preferences.risks.contains(.runningBank) {
            throw .preparing(
                "running-bank-risk",
                "bank \(preferences.bank.rawValue) is set by the command or its profile, and may "
                    + "hold the running image: "
                    + "if it does, and power or link fail before the end, the beacon has no image left to start",
                remedy:
                    "let the beacon choose the bank with \(.bank, "0"), or accept the risk with "
                    + "\(.risk, "running-bank")"
            )
        }
    }

    /// Checks the device's facts against the image.
    mutating func checkDevice() throws(UpdateFailure) -> [UpdateNotice] {
        if family == .da1458x, link.facts.psm != nil {
            throw .preparing(
                "wrong-family",
                "the beacon offers a channel, which only DA1468x and DA1469x do; the image is for \(family.chips)",
                remedy: "use the image built for the chip in this beacon")
        }
        if let other = link.facts.family, other != family, !preferences.risks.contains(.wrongFamily) {
            throw .preparing(
                "wrong-family",
                "the beacon reports model '\(link.facts.information[.model] ?? "")', which is a "
                    + "\(other.chips); the image is for "
                    + family.chips,
                remedy:
                    "use the image built for the chip in this beacon; if the beacon's text is wrong, "
                    + "\(.risk, "wrong-family") lets the beacon decide")
        }
        var notices: [UpdateNotice] = []
        if let version = versionText, link.facts.runs(version) {
            guard preferences.risks.contains(.sameVersion) else {
                throw .preparing(
                    "same-version", "the beacon already reports version \(version)",
                    remedy: "nothing to do; \(.risk, "same-version") installs it again")
            }
            update.hadVersion = true
            notices.append(
                .warning(
                    .sameVersion,
                    "the beacon already reports version \(version), so the version it reports after the update "
                        + "does not confirm the new image"))
        }
        return notices
    }

    /// Risks of the block sizes that the user has set.
    func planWarnings() -> [UpdateNotice] {
        guard family == .da1458x, attempt.channel == nil, preferences.blockSize != nil else { return [] }
        let plan = attempt.plan
        var notices: [UpdateNotice] = []
        if plan.blockSize > BlockPlan.smallBuffer, !link.facts.takesLargeBlocks {
            notices.append(
                .warning(
                    FailureCode(rawValue: "block-may-be-refused"),
                    "blocks of \(plan.blockSize) bytes are set; a beacon that does not report SDK 6 "
                        + "may have a buffer of \(BlockPlan.smallBuffer)"))
        }
        if plan.endsWithLoneTrailer {
            notices.append(
                .warning(
                    FailureCode(rawValue: "lone-trailer"),
                    "with blocks of \(plan.blockSize) bytes the last one is only the checksum byte, and a beacon may "
                        + "erase a sector for it"))
        }
        return notices
    }
}

extension UpdateFailure {
    /// A failure before the first byte.
    static func preparing(_ code: String, _ message: String, remedy: Advice? = nil) -> UpdateFailure {
        UpdateFailure(
            FailureCode(rawValue: code), during: SUOTAStep.preparing.rawValue, message: message,
            remedy: remedy)
    }
}
