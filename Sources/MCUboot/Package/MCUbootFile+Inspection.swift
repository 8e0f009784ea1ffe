import Bytes
package import UpdateModel

extension MCUbootFile {
    package var inspection: FileInspection {
        let sections = parts.map { part in
            FileInspection.Section(
                manifest == nil ? nil : part.name, part.fileRows + ImageRows(image: part.image).rows)
        }
        return FileInspection(title, remark: remark, facts: facts, sections: headRows + sections)
    }

    private var title: String {
        switch container {
        case .image: "MCUboot image"
        case .hex: "MCUboot image in Intel HEX"
        case .package: "nRF Connect SDK package"
        }
    }

    private var remark: String? {
        guard parts.contains(where: \.isBootloader) else { return nil }
        return parts.allSatisfy(\.isBootloader)
            ? "It updates the bootloader itself, not the application."
            : "It also updates the bootloader itself."
    }

    private var headRows: [FileInspection.Section] {
        var rows: [FileInspection.Row] = []
        switch container {
        case .image: break
        case .hex(let address, _): rows.append(.init("address", "\(HexText.number(address))"))
        case .package(let manifest, let unlisted):
            rows.append(.init("format", "version \(manifest.formatVersion)"))
            if let name = manifest.name { rows.append(.init("name", FactText(name))) }
            if let time = manifest.time, time != 0 {
                rows.append(.init("built", FactText(UnixTime.text(time))))
            }
            if let hardware { rows.append(.init("hardware", FactText(hardware))) }
            if !unlisted.isEmpty {
                rows.append(.init("not sent", FactText(unlisted.joined(separator: ", "), .doubtful)))
            }
        }
        return rows.isEmpty ? [] : [FileInspection.Section(nil, rows)]
    }

    private var facts: [String: Fact] {
        let images = parts.map { part in
            Fact.record(ImageRows(image: part.image).facts.merging(part.fileFacts) { $1 })
        }
        var facts: [String: Fact] = ["images": .list(images)]
        switch container {
        case .image: facts["container"] = .text("image")
        case .hex(let address, let otherBytes):
            facts["container"] = .text("intel-hex")
            facts["address"] = .integer(Int(address))
            facts["other_bytes"] = .integer(otherBytes)
        case .package(let manifest, let unlisted):
            facts["container"] = .text("package")
            facts["format_version"] = .integer(manifest.formatVersion)
            facts["name"] = .optional(manifest.name)
            facts["time"] = .optional(manifest.time.flatMap { $0 == 0 ? nil : UnixTime.text($0) })
            facts["unlisted_files"] = .list(unlisted.map(Fact.text))
        }
        return facts
    }
}

extension MCUbootPart {
    fileprivate var fileRows: [FileInspection.Row] {
        guard let file else { return [] }
        var rows: [FileInspection.Row] = [.init("file", FactText(file.name)), .init("image", "\(number)")]
        if let slot { rows.append(.init("slot", "\(slot)\(file.isDirectXIP ? " (direct-XIP)" : "")")) }
        if let address = file.loadAddress { rows.append(.init("linked for", "\(HexText.number(address))")) }
        return rows
    }

    fileprivate var fileFacts: [String: Fact] {
        [
            "title": .text(title), "file": .optional(file?.name), "image": .integer(number),
            "slot": .optional(slot), "board": .optional(file?.board), "soc": .optional(file?.soc),
            "manifest_version": .optional(file?.version), "manifest_size": .optional(file?.size),
            "manifest_load_address": .optional(file?.loadAddress),
            "direct_xip": .flag(file?.isDirectXIP ?? false), "bootloader": .flag(isBootloader),
        ]
    }
}

private struct ImageRows {
    let image: MCUbootImage

    private var header: ImageHeader { image.header }

    var rows: [FileInspection.Row] {
        var rows: [FileInspection.Row] = [
            .init("version", "\(header.version)"),
            .init("header", "\(header.headerBytes) bytes"),
            .init("body", "\(header.bodyBytes) bytes at \(header.headerBytes)"),
            .init("hash", hash),
        ]
        rows += signatureRows
        if header.loadAddress != 0 { rows.append(.init("address", "\(HexText.number(header.loadAddress))")) }
        if !header.flags.words.isEmpty {
            rows.append(.init("flags", FactText(header.flags.words.joined(separator: ", "))))
        }
        if let counter = image.securityCounter { rows.append(.init("counter", "\(counter)")) }
        for needed in image.dependencies {
            rows.append(.init("needs", "image \(needed.image) of version \(needed.version) or later"))
        }
        if let type = image.softwareType { rows.append(.init("boot record", FactText(type))) }
        let others = image.tlvs.filter { $0.kind == nil }.map { "\(HexText.number($0.type)) (\($0.name))" }
        if !others.isEmpty { rows.append(.init("other TLVs", FactText(others.joined(separator: ", ")))) }
        if let padding { rows.append(.init("padding", padding)) }
        return rows
    }

    private var hash: FactText {
        guard let tlv = image.hashTLV, let digest = tlv.kind?.digest else { return FactText("missing", .bad) }
        let verdict: FactText =
            switch image.hashMatches {
            case true?: FactText("matches", .good)
            case false?: FactText("does not match", .bad)
            case nil: FactText("cannot be checked: encrypted", .doubtful)
            }
        return FactText("\(digest), ") + verdict
    }

    private var signatureRows: [FileInspection.Row] {
        let signatures = image.signatures
        guard !signatures.isEmpty else { return [.init("signature", FactText("none", .doubtful))] }
        return signatures.flatMap { signature -> [FileInspection.Row] in
            let pure = image.isSignaturePure ? " pure" : ""
            return [
                .init("signature", FactText("\(signature.algorithm)\(pure)")),
                .init("key", keyText(signature.key)),
            ]
        }
    }

    private func keyText(_ key: ImageSignature.Key?) -> FactText {
        if let name = PublishedKeys.name(of: key) { return FactText("published: \(name)", .bad) }
        return switch key {
        case nil: "not named"
        case .hash(let hash): FactText("\(HexText.encode(hash.prefix(8)))…")
        case .publicKey(let der): FactText("whole, \(der.count) bytes")
        }
    }

    private var padding: FactText? {
        switch image.padding {
        case .none: nil
        case .fill(let bytes): "\(bytes) bytes of filling"
        case .trailer(let bytes, _, let isConfirmed):
            FactText("\(bytes) bytes, trailer \(isConfirmed ? "for good" : "for a test")", .doubtful)
        case .other(let bytes): FactText("\(bytes) unknown bytes", .doubtful)
        }
    }

    var facts: [String: Fact] {
        [
            "version": .text("\(header.version)"), "header_bytes": .integer(Int(header.headerBytes)),
            "body_bytes": .integer(Int(header.bodyBytes)), "image_bytes": .integer(image.end),
            "padding_bytes": .integer(image.padding.bytes), "trailer": trailer,
            "load_address": .integer(Int(header.loadAddress)),
            "flags": .list(header.flags.words.map(Fact.text)), "encrypted": .flag(image.isEncrypted),
            "compressed": .flag(image.isCompressed), "hash": .optional(image.hash.map { HexText.encode($0) }),
            "hash_algorithm": .optional(image.hashTLV.map(\.name)),
            "hash_matches": .optional(image.hashMatches),
            "signatures": .list(image.signatures.map(signature)),
            "security_counter": .optional(image.securityCounter),
            "dependencies": .list(
                image.dependencies.map {
                    .record(["image": .integer($0.image), "version": .text("\($0.version)")])
                }),
            "boot_record": .optional(image.softwareType), "tlvs": .list(tlvs),
        ]
    }

    private var trailer: Fact {
        guard case .trailer(_, _, let isConfirmed) = image.padding else { return .absent }
        return .text(isConfirmed ? "confirmed" : "test")
    }

    private func signature(_ signature: ImageSignature) -> Fact {
        let (hash, der): ([UInt8]?, [UInt8]?) =
            switch signature.key {
            case nil: (nil, nil)
            case .hash(let hash): (hash, nil)
            case .publicKey(let der): (nil, der)
            }
        return .record([
            "algorithm": .text(signature.algorithm), "pure": .flag(image.isSignaturePure),
            "key_hash": .optional(hash.map { HexText.encode($0) }),
            "public_key": .optional(der.map { HexText.encode($0) }),
            "published_key": .optional(PublishedKeys.name(of: signature.key)),
        ])
    }

    private var tlvs: [Fact] {
        image.tlvs.map {
            .record([
                "type": .text(HexText.digits($0.type)), "name": .text($0.name), "offset": .integer($0.offset),
                "bytes": .integer($0.value.count),
            ])
        }
    }
}
