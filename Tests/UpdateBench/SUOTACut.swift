package import Dialog
package import Simulation

/// A whole conversation with blocks and chunks of one size (dialog-suota.md, Blocks).
package struct SUOTACut: Hashable, Sendable, CustomStringConvertible {
    package let kind: String
    package let block: Int
    package let chunk: Int

    package var description: String { "\(kind), blocks of \(block), chunks of \(chunk)" }

    /// The tested receivers: the small buffer of SDK 3, that of SDK 6, and both streams.
    package static let kinds = ["da14580", "da14585", "da14683", "da14695"]

    /// All sizes of blocks from 20 to 512 and of chunks from 1 to 244 that the receiver accepts; or an even selection
    /// of one in `stride` that has every block and every chunk.
    package static func all(every stride: Int = 1) -> [SUOTACut] {
        kinds.flatMap { kind -> [SUOTACut] in
            guard let personality = SUOTAPersonality.named[kind] else { return [] }
            let first = personality.family == .da1458x ? 64 : 20
            let chunks = 1...min(244, personality.patchDataSize)
            let step = min(stride, chunks.count)
            return (first...min(512, personality.blockBuffer)).flatMap { block in
                chunks.filter { (block + $0).isMultiple(of: step) }
                    .map { SUOTACut(kind: kind, block: block, chunk: $0) }
            }
        }
    }

    /// The image that is sent: long enough for two of the largest blocks, and shorter than a sector.
    package static let firmware = SUOTABench.firmware(600)

    /// The images of `firmware`, by the names of receivers.
    package static func images() throws -> [String: SUOTAImage] {
        var images: [String: SUOTAImage] = [:]
        for kind in kinds {
            guard let family = SUOTAPersonality.named[kind]?.family else { continue }
            images[kind] = try SUOTAImage(parsing: firmware.stored(family))
        }
        return images
    }

    /// The defect; nil if the device starts exactly this image, and the sizes were the requested ones.
    package func defect(_ images: [String: SUOTAImage]) -> String? {
        guard let personality = SUOTAPersonality.named[kind], let image = images[kind] else {
            return "there is no \(kind)"
        }
        var preferences = SUOTAPreferences()
        (preferences.blockSize, preferences.chunkSize, preferences.transport) = (block, chunk, .gatt)
        var talk = SUOTATalk(personality)
        let ending = talk.run(SUOTAProcedure(image, preferences))
        guard ending == .confirmed else { return "\(self): \(ending)" }
        let errors = talk.receiver.record.brokenRules
        guard errors.isEmpty else { return "\(self): \(errors)" }
        // A block is at least a chunk, and a shorter last one is announced.
        let (upload, length) = (image.bytes.count + 1, max(block, chunk))
        guard talk.lengths == [length] + (upload % length > 0 ? [upload % length] : []),
            talk.longestChunk == chunk, talk.receiver.record.blocks == (upload + length - 1) / length
        else { return "\(self): lengths \(talk.lengths), chunks of \(talk.longestChunk)" }
        let started = talk.restart().image
        guard started?.payload == Self.firmware.payload, started?.isIntact == true else {
            return "\(self): another image starts"
        }
        return nil
    }
}
