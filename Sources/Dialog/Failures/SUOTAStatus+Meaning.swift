package import UpdateModel

extension DialogVendor {
    package var resultTables: [ResultTable] {
        [ResultTable("suota", "a status of a SUOTA receiver", example: "15", Self.statuses)]
    }

    private static let statuses: [UInt8: ResultTable.Entry] = [
        0x00: .init("no status yet", [.suota.imageNotMarked]),
        0x01: .init(.suota.patchService),
        0x02: .init("a block was accepted, or the whole image verified"),
        0x03: .init("the service was left", [.suota.serviceLeft]),
        0x04: .init("the XOR (58x) or CRC-32 (68x, 69x) of the image is wrong", [.device.imageCRCMismatch]),
        0x05: .init("the length of a block is wrong", [.suota.blockLengthRefused]),
        0x06: .init("the memory could not be erased or written", [.suota.flashWriteFailed]),
        0x07: .init(.suota.blockTooLarge),
        0x08: .init("the type of memory is wrong, or the update was abandoned", [.suota.memoryTypeRefused]),
        0x09: .init(.device.imageRefused),
        0x10: .init("the beacon is waiting for the image"),
        0x11: .init(.suota.invalidBank),
        0x12: .init("the header of the image is wrong", [.suota.invalidImageHeader]),
        0x13: .init(.suota.imageTooLarge),
        0x14: .init(.suota.productHeaderMissing),
        0x15: .init("the bank holds this image", [.finding.sameImage]),
        0x16: .init(.suota.wrongPins),
        0x17: .init("the inactive bank holds this image", [.finding.sameImage]),
        0x18: .init("a mode of HomeKit: legacy", [.suota.imageNotMarked]),
        0x19: .init("a mode of HomeKit: HAP", [.suota.imageNotMarked]),
        0x1A: .init("a mode of HomeKit: signed images", [.suota.imageNotMarked]),
        0x1B: .init("a mode of HomeKit: encrypted and signed images", [.suota.imageNotMarked]),
    ]
}
