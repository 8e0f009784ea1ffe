/// The claim under which a unit is updated, so that a restarted program knows how long it has the unit.
public struct ClaimRecord: Hashable, Sendable {
    /// The unit's slot in the run.
    public var slot: String
    /// The order's number.
    public var order: String
    /// The unit's key in the order.
    public var unit: String
    /// The claim's epoch.
    public var epoch: Int64
    /// The boot of the machine in which `leaseEnd` is counted (`/proc/sys/kernel/random/boot_id`): in another boot it
    /// is meaningless.
    public var boot: String
    /// When the lease ends, in milliseconds of `CLOCK_BOOTTIME`; nil if it does not end.
    public var leaseEnd: Int64?

    /// Creates a claim with these values.
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
