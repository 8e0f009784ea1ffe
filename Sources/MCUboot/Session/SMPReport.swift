import Bytes
package import UpdateModel

/// What a beacon with SMP reports about itself; nil for what it does not report.
package struct SMPReport: Equatable, Sendable {
    package let peer: SMPPeer
    /// The longest frame that the beacon accepts, including the header, in bytes.
    package var bufferSize: Int?
    /// The number of frames that the beacon can hold, requests and answers together.
    package var bufferCount: Int?
    package var bootloader: String?
    package var mode: BootloaderMode?
    package var refusesDowngrades = false
    package var sizes: [SlotSize] = []
    /// Zephyr's name of the board that the application was built for, perhaps with `@` and its revision.
    package var board: String?
    /// What the application reports about itself: kernel, build, processor.
    package var application: String?

    package init(_ peer: SMPPeer) { self.peer = peer }
}

extension SMPReport {
    package var reading: SessionReading {
        SessionReading(
            "smp",
            facts: [
                "smp_version": .integer(Int(peer.version) + 1), "version": .optional(peer.runningVersion),
                "slots": peer.slots.map { .list($0.map(fact)) } ?? .absent,
                "slot_sizes": sizes.isEmpty ? .absent : .list(sizes.map(\.fact)),
                "bootloader": .optional(bootloader), "bootloader_mode": .optional(mode?.word),
                "no_downgrade": mode == nil ? .absent : .flag(refusesDowngrades),
                "buffer_size": .optional(bufferSize), "buffer_count": .optional(bufferCount),
                "board": .optional(board), "application": .optional(application),
            ],
            rows: [("session", "SMP, version \(peer.version + 1)")] + slotRows + [
                ("bootloader", bootloaderText), ("buffers", buffersText), ("board", board),
                ("application", application),
            ], application: ApplicationFacts(version: peer.runningVersion, hardware: board))
    }

    private func fact(of slot: SlotState) -> Fact {
        .record([
            "image": .integer(slot.image), "slot": .integer(slot.slot),
            "version": .optional(slot.reportedVersion),
            "hash": .optional(slot.hash.map { HexText.encode($0) }), "active": .flag(slot.isActive),
            "confirmed": .flag(slot.isConfirmed), "pending": .flag(slot.isPending),
            "permanent": .flag(slot.isPermanent), "bootable": .flag(slot.isBootable),
        ])
    }

    /// A row for each slot: first slots with an image, then those of which only the size is known.
    private var slotRows: [(label: String, text: String?)] {
        guard let slots = peer.slots else {
            return [
                (
                    "images",
                    peer.refusal.map { "not listed: the beacon answers \($0.explanation)" } ?? "not listed"
                )
            ]
        }
        let empty = sizes.filter { size in
            !slots.contains { $0.image == size.image && $0.slot == size.slot }
        }
        return slots.map { (label(image: $0.image, slot: $0.slot), text(of: $0)) }
            + empty.map { (label(image: $0.image, slot: $0.slot), "no image, \($0.size) bytes long") }
    }

    private func label(image: Int, slot: Int) -> String {
        image == 0 ? "slot \(slot)" : "image \(image) slot \(slot)"
    }

    private func text(of slot: SlotState) -> String {
        let size = sizes.first { $0.image == slot.image && $0.slot == slot.slot }?.size
        let parts: [String?] = [
            slot.reportedVersion ?? "no version", slot.isActive ? "active" : nil,
            slot.isConfirmed ? "confirmed" : nil, slot.isPending ? "pending" : nil,
            slot.isPermanent ? "permanent" : nil, slot.isBootable ? nil : "not bootable",
            slot.hash.map { "hash \(HexText.encode($0.prefix(4)))…" } ?? "no hash",
            size.map { "\($0) bytes long" },
        ]
        return parts.compactMap(\.self).joined(separator: ", ")
    }

    private var bootloaderText: String? {
        bootloader.map { name in
            [name, mode?.word, refusesDowngrades ? "refuses lower versions" : nil].compactMap(\.self)
                .joined(separator: ", ")
        }
    }

    private var buffersText: String? {
        bufferSize.map { size in (bufferCount.map { "\($0) of " } ?? "") + "\(size) bytes" }
    }
}

extension SlotSize {
    fileprivate var fact: Fact {
        .record(["image": .integer(image), "slot": .integer(slot), "size": .integer(size)])
    }
}
