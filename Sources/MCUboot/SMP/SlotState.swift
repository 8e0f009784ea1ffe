/// A slot in a device's list of images.
package struct SlotState: Equatable, Sendable {
    /// The image that the slot belongs to; 0 for the application of most devices.
    package let image: Int
    /// Whether the entry has an image number: Zephyr adds it only if its firmware has several images.
    package let namesImage: Bool
    /// The slot within the image, 0 or 1.
    package let slot: Int
    package let version: String
    /// The value of the image's hash TLV, 32, 48 or 64 bytes; nil if not reported.
    package let hash: [UInt8]?
    package let isBootable, isPending, isConfirmed, isActive, isPermanent: Bool

    /// The slot in an entry of `images`; nil if it has no number.
    package init?(_ value: CBORValue) {
        guard case .map(let entry) = value, let slot = entry.integer("slot"), (0...255).contains(slot) else {
            return nil
        }
        let number = entry.integer("image").flatMap { (0...255).contains($0) ? $0 : nil }
        (image, namesImage) = (number ?? 0, number != nil)
        self.slot = slot
        version = entry.text("version") ?? ""
        hash = entry.bytes("hash").flatMap { [32, 48, 64].contains($0.count) ? $0 : nil }
        isBootable = entry.flag("bootable")
        isPending = entry.flag("pending")
        isConfirmed = entry.flag("confirmed")
        isActive = entry.flag("active")
        isPermanent = entry.flag("permanent")
    }

    /// The slots in the answer to ``SMPRequest/imageState``; nil if it has no list.
    package static func slots(in content: CBORMap) -> [SlotState]? {
        content.list("images")?.prefix(32).compactMap(SlotState.init)
    }

    /// The version as imgtool writes it, `1.2.3+4`; if it is no such version, the beacon's text, nil if that is empty.
    var reportedVersion: String? { ImageVersion(version).map(\.description) ?? DeviceText.plain(version) }
}

/// How a bootloader installs images: MCUboot's modes, in the order of their numbers from 0.
package enum BootloaderMode: Int, Sendable {
    case singleSlot, swapUsingScratch, overwriteOnly, swapUsingMove, directXIP, directXIPWithRevert, ramLoad
    case firmwareLoader, singleSlotRAMLoad, swapUsingOffset

    /// The names for users and tools, which are those of MCUboot's options, in the order of the numbers.
    static let words = [
        "single-slot", "swap-scratch", "overwrite-only", "swap-move", "direct-xip", "direct-xip-revert",
        "ram-load", "firmware-loader", "single-slot-ram-load", "swap-offset",
    ]

    package var word: String { Self.words[rawValue] }
}
