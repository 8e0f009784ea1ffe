import Bytes
import UpdateModel

extension FlashImage {
    var unsupported: UnsupportedFile {
        let advice: Advice = "this is a whole flash; SUOTA takes the single image (.img) inside it"
        let words = description
        return UnsupportedFile(
            .dialogFlashImage, hint: words.isEmpty ? advice : "the file holds \(words); \(advice)",
            content: FileInspection(
                "Dialog flash", facts: ["flash": facts], sections: [FileInspection.Section(nil, rows)]))
    }

    private var facts: Fact {
        let productHeader = productHeader.map {
            Fact.record([
                "header": .text($0.family.rawValue), "offset": .integer($0.offset),
                "images": .list([.integer($0.first), .integer($0.second)]),
            ])
        }
        return .record([
            "boot_header": .optional(bootHeader?.memory.name),
            "bootloader_bytes": .optional(bootHeader?.bootloaderBytes),
            "product_header": productHeader ?? .absent, "images": .list(parts.map { member(of: $0) }),
        ])
    }

    private func member(of part: Part) -> Fact {
        let header = part.header
        return .record([
            "offset": .integer(part.offset), "header": .text(header.family.rawValue),
            "payload_bytes": .integer(Int(header.codeSize)), "crc32": .text(HexText.digits(header.crc)),
            "version": .text(header.version.text), "timestamp": .text(UnixTime.text(header.timestamp)),
            "encrypted": .flag(header.isEncrypted),
            "image_id": .optional(part.imageID.map { HexText.digits($0) }),
            "starts": .flag(part == startedPart),
        ])
    }

    @ListBuilder<FileInspection.Row> private var rows: [FileInspection.Row] {
        if let bootHeader {
            let memory = bootHeader.memory.name.uppercased()
            FileInspection.Row("boot header", "\(memory), bootloader of \(bootHeader.bootloaderBytes) bytes")
        }
        for part in parts {
            let words = words(about: part).joined(separator: ", ")
            FileInspection.Row("image at \(HexText.number(part.offset))", FactText(words))
        }
        if let productHeader {
            let banks = [productHeader.first, productHeader.second].map { HexText.number($0) }
            let place = "\(HexText.number(productHeader.offset)), \(productHeader.family.chips)"
            FileInspection.Row("product header", "at \(place), images at \(banks.joined(separator: " and "))")
        }
    }

    @ListBuilder<String> private func words(about part: Part) -> [String] {
        let header = part.header
        header.version.text.isEmpty ? "no version" : header.version.text
        UnixTime.text(header.timestamp)
        "\(header.family.rawValue), \(header.codeSize) bytes"
        if let imageID = part.imageID { "id \(HexText.digits(imageID))" }
        if header.isEncrypted { "encrypted" }
        if part == startedPart { "the one that starts" }
    }
}

extension FlashImage.Part {
    /// The number by which a 58x bootloader finds the newer image; nil for other families.
    fileprivate var imageID: UInt8? {
        if case .da1458x(_, let imageID, _, _) = header.particulars { imageID } else { nil }
    }
}
