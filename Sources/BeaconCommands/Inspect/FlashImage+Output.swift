import ByteCoding
import DialogSUOTA

extension FlashImage {
    /// The member `flash` of `inspect --json`.
    var member: JSONValue {
        var members: [String: JSONValue] = [
            "boot_header": .null, "bootloader_bytes": .null, "product_header": .null,
            "images": .list(parts.map { member(of: $0) }),
        ]
        switch start {
        case .spiBootHeader(let bytes):
            (members["boot_header"], members["bootloader_bytes"]) = (.text("spi"), .integer(bytes))
        case .i2cBootHeader(let bytes):
            (members["boot_header"], members["bootloader_bytes"]) = (.text("i2c"), .integer(bytes))
        case .productHeader: break
        }
        if let productHeader {
            members["product_header"] = .object([
                "header": .text(productHeader.family.rawValue), "offset": .integer(productHeader.offset),
                "images": .list([.integer(productHeader.first), .integer(productHeader.second)]),
            ])
        }
        return .object(members)
    }

    private func member(of part: Part) -> JSONValue {
        let header = part.header
        return .object([
            "offset": .integer(part.offset), "header": .text(header.family.rawValue),
            "payload_bytes": .integer(Int(header.codeSize)), "crc32": .text(HexText.digits(header.crc)),
            "version": .text(header.version.text),
            "timestamp": .text(WallTime.text(unix: header.timestamp)),
            "encrypted": .bool(header.isEncrypted),
            "image_id": .optional(part.imageID.map { HexText.digits($0) }),
            "starts": .bool(part == starting),
        ])
    }

    /// Names and values for people.
    var rows: [(String, TerminalText)] {
        var rows: [(String, TerminalText)] = []
        switch start {
        case .spiBootHeader(let bytes): rows.append(("boot header", "SPI, bootloader of \(bytes) bytes"))
        case .i2cBootHeader(let bytes): rows.append(("boot header", "I2C, bootloader of \(bytes) bytes"))
        case .productHeader: break
        }
        rows += parts.map { ("image at \(HexText.number($0.offset))", TerminalText(words(about: $0))) }
        if let productHeader {
            let banks =
                "images at \(HexText.number(productHeader.first)) and \(HexText.number(productHeader.second))"
            let chips = productHeader.family.chips
            rows.append(("product header", "at \(HexText.number(productHeader.offset)), \(chips), \(banks)"))
        }
        return rows
    }

    private func words(about part: Part) -> String {
        let header = part.header
        let version = header.version.text
        var words = [
            version.isEmpty ? "no version" : version, WallTime.text(unix: header.timestamp),
            "\(header.family.rawValue), \(header.codeSize) bytes",
        ]
        if let imageID = part.imageID { words.append("id \(HexText.digits(imageID))") }
        if header.isEncrypted { words.append("encrypted") }
        if part == starting { words.append("the one that starts") }
        return words.joined(separator: ", ")
    }
}

extension FlashImage.Part {
    /// The number by which a 58x bootloader tells the newer image; others have none.
    fileprivate var imageID: UInt8? {
        if case .da1458x(_, let imageID, _, _) = header.particulars { imageID } else { nil }
    }
}
