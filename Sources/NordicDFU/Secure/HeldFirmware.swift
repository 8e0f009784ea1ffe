/// What the device can have of the image, as far as its answers and what was sent to it over all links tell.
struct HeldFirmware: Equatable, Sendable {
    /// How much it can have at most, by what was sent on earlier links; nil before them.
    private var most: Int?
    /// The end of the last object whose Execute was answered, or what the device has said since.
    private var executed = 0
    /// The device has held less than it had executed, or more than it can have: it keeps its progress in flash and
    /// writes it late, so that what it says may be old.
    private var writesLate = false

    /// The device says that it holds so many bytes; whether it can.
    mutating func note(_ held: Int) -> Bool {
        let isPossible = held <= most ?? .max
        writesLate = writesLate || held < executed || !isPossible
        executed = held
        return isPossible
    }

    /// An Execute of the object that ends there was answered.
    mutating func note(executed end: Int) { executed = end }

    /// A link has ended with `transfer` under way, and `count` more bytes, arrived or not. What a device that
    /// writes late says of an object that was created anew may be what it knew of the erased one.
    mutating func noteEnd(of transfer: SecureTransfer, sending count: Int) {
        guard transfer.object == .data else { return }
        most = writesLate && !transfer.wentOnInside ? transfer.range.lowerBound : transfer.position + count
    }

    /// The device is told to forget what it has.
    mutating func clear() { executed = 0 }

    /// The device has refused all of it, and restarts.
    mutating func refuse() { self = HeldFirmware(most: 0, writesLate: writesLate) }
}
