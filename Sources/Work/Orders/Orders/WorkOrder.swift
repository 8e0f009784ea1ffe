/// An order as a station receives it with its claims.
public struct WorkOrder: Hashable, Sendable {
    /// Its number.
    public var number: String
    /// Its state.
    public var state: OrderState
    /// Why it is held; nil if it is not.
    public var heldReason: String?
    /// The number of units that it has to reach; nil if they are not counted.
    public var expected: Int?
    /// The firmware of its units.
    public var firmware: WorkFirmware

    /// Creates an order with these values.
    public init(
        number: String, state: OrderState, heldReason: String? = nil, expected: Int? = nil,
        firmware: WorkFirmware
    ) {
        self.number = number
        self.state = state
        self.heldReason = heldReason
        self.expected = expected
        self.firmware = firmware
    }
}
