import UpdateModel

/// Predicts the response of a SUOTA receiver to the first block and to the end (suota-image.md, Checks).
struct SUOTATargetCheck {
    let target: TargetDevice

    /// The family of Dialog chips.
    private var chip: HeaderFamily? { target["chip"].flatMap(HeaderFamily.init(chip:)) }
    /// Bytes of a bank, including the header.
    private var bank: Int? { target.number("bank").map { Int($0) } }

    func answers(to image: SUOTAImage) -> [Answer] {
        [familyAnswer(image), sizeAnswer(image), sameImageAnswer(image), checksumAnswer(image)]
    }

    private func familyAnswer(_ image: SUOTAImage) -> Answer {
        guard let chip else { return .needs("chip") }
        guard chip != image.header.family else { return .pass }
        return .refuse(
            id: "wrong-family", code: "12",
            "the image is for \(image.header.family.chips), the target is a \(chip.chips)")
    }

    private func sizeAnswer(_ image: SUOTAImage) -> Answer {
        let size = Int(image.header.codeSize)
        guard size > 0 else { return .refuse(id: "empty-payload", code: "13", "the code size is 0") }
        let (needed, limit): (Int, Int?) =
            switch image.header.family {
            case .da1458x: (size, bank.map { $0 - HeaderFamily.da1458x.headerBytes })
            case .da1468x: (image.header.payloadOffset + size, min(bank ?? .max, 236 << 10))
            case .da1469x: (image.header.payloadOffset + size, bank)
            }
        guard let limit else { return .needs("bank") }
        guard needed > limit else { return .pass }
        return .refuse(
            id: "insufficient-space", code: "13", "\(needed) bytes are needed, the bank has \(limit)")
    }

    /// Only DA1458x receivers compare, and only with the bank that they overwrite.
    private func sameImageAnswer(_ image: SUOTAImage) -> Answer {
        guard image.header.family == .da1458x, let version = target.version else { return .pass }
        guard version == image.header.version.text, target.number("timestamp") == image.header.timestamp
        else {
            return .pass
        }
        return .refuse(
            id: "target-up-to-date", code: "15", "version and timestamp are those of the installed image")
    }

    private func checksumAnswer(_ image: SUOTAImage) -> Answer {
        guard image.crcMatches == false else { return .pass }
        return image.header.family == .da1458x
            ? .refuse(
                id: "image-crc-mismatch", code: nil,
                "the upload succeeds, but the bootloader starts the old image")
            : .refuse(id: "image-crc-mismatch", code: "04", "the CRC-32 check at the end fails")
    }
}
