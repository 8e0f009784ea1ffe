/// The bytes of the image that the device can have, from its responses and from what was sent over all links.
struct HeldFirmware: Equatable, Sendable {
    /// The most it can have from earlier links; nil before them.
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

    /// Records that an Execute of the object ending at `end` was acknowledged.
    mutating func note(executed end: Int) { executed = end }

    /// Records the end of a link with `transfer` under way, and `count` more bytes, arrived or not. A device that
    /// writes late may report the erased object instead of the one created since.
    mutating func noteEnd(of transfer: SecureTransfer, sending count: Int) {
        guard transfer.object == .data else { return }
        most = writesLate && !transfer.wentOnInside ? transfer.range.lowerBound : transfer.position + count
    }

    /// The device was told to discard what it has.
    mutating func clear() { executed = 0 }

    /// The device has refused the whole image, and restarts.
    mutating func refuse() { self = HeldFirmware(most: 0, writesLate: writesLate) }
}
