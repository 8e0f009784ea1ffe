/// The claim under which a unit is worked at, so that a program that begins anew knows how long it holds.
public struct ClaimRecord: Hashable, Sendable {
    /// The unit's slot in the run.
    public var slot: String
    /// The order's number.
    public var order: String
    /// The unit's key in the order.
    public var unit: String
    /// The claim's epoch.
    public var epoch: Int64
    /// Which boot of the machine `leaseEnd` is counted in (`/proc/sys/kernel/random/boot_id`): another one's says nothing.
    public var boot: String
    /// When the lease ends, in milliseconds of `CLOCK_BOOTTIME`; nil where it has no end.
    public var leaseEnd: Int64?

    /// A claim as described.
    public init(
        slot: String, order: String, unit: String, epoch: Int64, boot: String, leaseEnd: Int64?
    ) {
        self.slot = slot
        self.order = order
        self.unit = unit
        self.epoch = epoch
        self.boot = boot
        self.leaseEnd = leaseEnd
    }
}
