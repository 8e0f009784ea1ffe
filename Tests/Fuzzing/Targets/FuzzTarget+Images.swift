import Bytes
import Dialog
import Feasycom
import TestSupport
import UpdateModel

extension FuzzTarget {
    /// Files without an archive around them.
    static let images = [suotaImage, dialogFlash, fbeaconFile, intelHex]

    private static let suotaImage = FuzzTarget(
        "suota-image", seeds: { try seeds("dialog", "suota") },
        check: { input in
            do {
                let image = try SUOTAImage(parsing: input)
                try demand(image.bytes == input, "another image")
                let written = image.header.bytes + image.gap + image.payload + image.trailing
                try demand(written == input, "another file than was read")
                try demandPlaces(image.findings(), in: input)
                let held = image.sections.reduce(0) { $0 + 4 + $1.content.count }
                try demand(held <= image.gap.count, "sections that exceed their space")
                try demandRecipe(image)
            } catch let error as SUOTAImageError {
                try demand((0...input.count).contains(error.offset), "\(error), in \(input.count) bytes")
            }
        })

    /// A valid image without special content is reproduced by its recipe.
    private static func demandRecipe(_ image: SUOTAImage) throws(Violation) {
        let harmless = [
            "unauthenticated", "timestamp-missing", "timestamp-implausible", "image-exceeds-small-flash",
        ]
        guard image.findings().allSatisfy({ harmless.contains($0.id) }), image.gap.allSatisfy({ $0 == 0xFF }),
            let version = ImageVersion(image.header.version.text), version == image.header.version,
            image.header.payloadOffset <= ImageRecipe.offsetLimit
        else { return }
        let header: ImageRecipe.Header
        switch image.header.particulars {
        case .da1458x(_, let imageID, _, _): header = .da1458x(imageID: imageID)
        case .da1468x(0, let offset): header = .da1468x(payloadOffset: Int(offset))
        case .da1468x: return
        case .da1469x(let offset): header = .da1469x(payloadOffset: Int(offset))
        }
        let recipe = ImageRecipe(
            header, version: version, timestamp: image.header.timestamp, payload: Array(image.payload))
        try demand((try? recipe.image()) == image, "a recipe that makes another image")
    }

    private static let dialogFlash = FuzzTarget(
        "dialog-flash", seeds: { try seeds("dialog", "dialog") },
        check: { input in
            guard let flash = FlashImage(recognising: input) else { return }
            try demand(flash.parts.count <= 2, "more images than banks")
            for part in flash.parts {
                let size = part.header.payloadOffset + Int(part.header.codeSize)
                try demand(part.offset + size <= input.count, "an image that is not inside")
            }
            try demand(
                flash.startedPart.map(flash.parts.contains) != false, "an image that starts and is not there")
            _ = flash.description
        })

    private static let fbeaconFile = FuzzTarget(
        "fbeacon-file", seeds: { try seeds("feasycom", "fbeacon") },
        check: { input in
            do {
                let file = try FBeaconFile(parsing: input)
                try demand(file.bytes == input, "another file")
                try demand(file.header.bytes[...] == input.prefix(32), "another header")
                try demandPlaces(file.findings(), in: input)
                try demand(file.header.length == file.payload.count, "another length")
                try demand(!(file.isEncrypted && file.binCRCMatches != nil), "a checked cipher text")
                guard let container = OpenContainer(file) else { return }
                try demand(
                    !file.records.contains { $0.kind.isPrivate } || isRefused(container), "a private record")
                guard !file.records.contains(where: { $0.kind.isPrivate }) else { return }
                try demand(try container.file() == file, "another container")
            } catch let error as FBeaconFileError {
                try demand((0...input.count).contains(error.offset), "\(error), in \(input.count) bytes")
            }
        })

    private static func isRefused(_ container: OpenContainer) -> Bool {
        do throws(OpenContainerError) {
            _ = try container.file()
            return false
        } catch { return true }
    }

    private static let intelHex = FuzzTarget(
        "intel-hex", seeds: { try seeds("hex", "hex") },
        check: { input in
            do {
                let file = try IntelHexFile(parsing: input)
                try demand(file.dataBytes * 2 <= input.count, "more data than digits")
                for (one, next) in zip(file.regions, file.regions.dropFirst()) {
                    try demand(one.end < UInt64(next.address), "regions that touch")
                }
                let limit = 1 << 16
                for image in [try? file.flattened(atMost: limit), try? file.confinedImage()].compactMap(
                    \.self)
                {
                    try demand(image.bytes.count <= IntelHexFile.flatLimit, "an image that is too large")
                    let first = UInt64(image.address)
                    let inside = first..<(first < 0x1000_0000 ? 0x1000_0000 : 1 << 32)
                    for region in file.confined(to: inside).regions {
                        let place = Int(region.address - image.address)
                        try demand(
                            image.bytes.dropFirst(place).starts(with: region.bytes), "bytes that went astray")
                    }
                }
            } catch let error as HexError {
                let lines = input.count { $0 == 0x0A || $0 == 0x0D } + 1
                try demand((0...lines).contains(error.line), "\(error), in \(lines) lines")
                try demand((0...input.count + 1).contains(error.column), "\(error), in \(input.count) bytes")
            }
        })

    private static func demandPlaces(_ findings: [Finding], in input: [UInt8]) throws(Violation) {
        for finding in findings {
            try demand(
                (0...input.count).contains(finding.place.offset ?? -1), "\(finding), in \(input.count) bytes")
        }
    }

    /// The samples of a folder, and the malformed ones with a common prefix.
    private static func seeds(_ folder: String, _ flawed: String) throws -> [[UInt8]] {
        let names =
            try Samples.names(in: folder)
            + Samples.names(in: "malformed").filter { $0.hasPrefix("malformed/\(flawed)") }
        return try names.map { try Samples.bytes($0) }
    }
}
