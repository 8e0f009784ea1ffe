/// The errors that a beacon of Estimote reports.
public struct EstimoteErrors: Hashable, Sendable {
    /// Whether its firmware has a fault.
    public let firmware: Bool
    /// Whether its clock is wrong.
    public let clock: Bool

    /// Two bits of `byte`, from bit `place` on: firmware and clock.
    init(_ byte: UInt8, at place: UInt8) {
        firmware = byte >> place & 1 != 0
        clock = byte >> place & 2 != 0
    }

    var flags: [String: Bool] { ["firmware-error": firmware, "clock-error": clock] }
}
