package import UpdateModel

/// Checks of the image, of the requested settings and of the device.
extension SUOTAProcedure {
    package func check() throws(UpdateFailure) {
        try checkImage()
        try checkRequests()
    }

    /// Refuses images that a DA1458x would accept, because it checks only the XOR, but could not start.
    func checkImage() throws(UpdateFailure) {
        guard image.header.codeSize > 0 else {
            throw .preparing(.file.emptyPayload, "there is nothing to install")
        }
        guard image.crcMatches != false else {
            throw .preparing(.device.imageCRCMismatch, "the payload does not match the CRC-32 in its header")
        }
        guard image.trailing.isEmpty else {
            throw .preparing(
                .file.trailingBytes,
                "\(image.trailing.count) bytes follow the payload, and beacons would count them")
        }
    }

    func checkRequests() throws(UpdateFailure) {
        if let size = preferences.blockSize { try BlockPlan.checkBlock(of: size, family) }
        if family == .da1458x, preferences.transport == .l2cap {
            throw .preparing(
                .suota.channelMissing, "images for \(family.chips) cannot be sent over a channel",
                remedy: Self.withoutChannel)
        }
        if let limit = preferences.bankLimit, Int(image.header.codeSize) > limit {
            throw .preparing(
                .suota.imageTooLarge,
                "the payload of \(image.header.codeSize) bytes does not fit the beacon's bank of \(limit)",
                remedy: "build a smaller image")
        }
        guard family == .da1458x else {
            guard preferences.pins.memory == .spi else {
                throw .preparing(
                    .suota.memoryTypeRefused, "\(family.chips) keep images in their flash, not on I2C",
                    remedy: "omit \(.pins)")
            }
            return
        }
        if preferences.bank != .oldest, !preferences.risks.contains(.runningBank) {
            throw .preparing(
                .suota.runningBankRisk,
                "bank \(preferences.bank.rawValue) is set by the command or its profile, and may "
                    + "hold the running image: "
                    + "if it does, and power or link fail before the end, the beacon has no image left to start",
                remedy: "let the beacon choose the bank with \(.bank, "0"), or accept the risk with "
                    + "\(.risk, "running-bank")"
            )
        }
    }

    mutating func checkDevice() throws(UpdateFailure) -> [UpdateNotice] {
        if family == .da1458x, link.facts.psm != nil {
            throw .preparing(
                .finding.wrongFamily,
                "the beacon offers a channel, which only DA1468x and DA1469x do; the image is for \(family.chips)",
                remedy: "use the image built for the chip in this beacon")
        }
        if let other = link.facts.family, other != family, !preferences.risks.contains(.wrongFamily) {
            throw .preparing(
                .finding.wrongFamily,
                "the beacon reports model '\(link.facts.information[.model] ?? "")', which is a "
                    + "\(other.chips); the image is for " + family.chips,
                remedy: "use the image built for the chip in this beacon; if the beacon's text is wrong, "
                    + "\(.risk, "wrong-family") lets the beacon decide")
        }
        guard let version = versionText, link.facts.runs(version) else { return [] }
        let words = "the beacon already reports version \(version)"
        let notices = try UpdateNotice.sameVersion(
            allowedBy: preferences.risks, words,
            warning: words + ", so the version it reports after the update does not confirm the new image")
        update.hadVersion = true
        return notices
    }

    @ListBuilder<UpdateNotice> var planWarnings: [UpdateNotice] {
        let plan = attempt.plan
        if family == .da1458x, attempt.channel == nil, preferences.blockSize != nil {
            if plan.blockSize > BlockPlan.smallBuffer, !link.facts.acceptsLargeBlocks {
                UpdateNotice.warning(
                    .suota.blockMayBeRefused,
                    "blocks of \(plan.blockSize) bytes are set; a beacon that does not report SDK 6 "
                        + "may have a buffer of \(BlockPlan.smallBuffer)")
            }
            if plan.endsWithLoneTrailer {
                UpdateNotice.warning(
                    .suota.loneTrailer,
                    "with blocks of \(plan.blockSize) bytes the last one is only the checksum byte, and a beacon may "
                        + "erase a sector for it")
            }
        }
    }
}
