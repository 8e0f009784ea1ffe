/// What an order wants, as a station is told with its claims.
public struct WorkOrder: Hashable, Sendable {
    /// The number that people know it by.
    public var number: String
    /// How far it has come.
    public var state: OrderState
    /// Why it is held; nil where it is not.
    public var heldReason: String?
    /// How many units it has to become; nil where they are not counted.
    public var expected: Int?
    /// What its units get.
    public var firmware: WorkFirmware

    /// An order as described.
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
