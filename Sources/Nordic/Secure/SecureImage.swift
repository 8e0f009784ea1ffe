/// One part of a package as sent: init packet first, then the image.
package struct SecureImage: Equatable, Sendable {
    package let initPacket: [UInt8]
    package let bytes: [UInt8]
    package let role: FirmwareRole
    package let isSigned: Bool
    package let firmwareVersion: UInt32?
    package let hardwareVersion: UInt32?
    package let softDevices: [UInt32]

    package init(
        initPacket: [UInt8], bytes: [UInt8], role: FirmwareRole = .application, isSigned: Bool,
        firmwareVersion: UInt32?, hardwareVersion: UInt32?, softDevices: [UInt32]
    ) {
        (self.initPacket, self.bytes, self.role, self.isSigned) = (initPacket, bytes, role, isSigned)
        self.firmwareVersion = firmwareVersion
        (self.hardwareVersion, self.softDevices) = (hardwareVersion, softDevices)
    }

    var initTransfer: SecureTransfer {
        SecureTransfer(.command, 0..<initPacket.count, after: 0, isFirst: false)
    }
}

/// The bytes of the image that the device can have, from its responses and from what was sent over all links.
struct HeldFirmware: Equatable, Sendable {
    /// The most bytes that the device can have from earlier links; nil on the first link.
    private var most: Int?
    /// The end of the last object whose Execute was acknowledged, or what the device has reported since.
    private var executed = 0
    /// The device has held less than it had executed, or more than it can have: it writes its progress to flash late,
    /// so its reports may be outdated.
    private var writesLate = false

    /// Records the number of bytes that the device reports; returns whether that is possible.
    mutating func note(_ held: Int) -> Bool {
        let isPossible = held <= most ?? .max
        writesLate = writesLate || held < executed || !isPossible
        executed = held
        return isPossible
    }

    mutating func note(executed end: Int) { executed = end }

    /// Records the end of a link with `transfer` under way, and `count` more bytes, arrived or not. A device that
    /// writes late may report the erased object instead of the one created since.
    mutating func noteEnd(of transfer: SecureTransfer, sending count: Int) {
        guard transfer.object == .data else { return }
        most =
            writesLate && !transfer.hasResumedInside ? transfer.range.lowerBound : transfer.position + count
    }

    mutating func clear() { executed = 0 }

    /// Records that the device has refused the whole image, so that it holds nothing.
    mutating func refuse() { self = HeldFirmware(most: 0, writesLate: writesLate) }
}
