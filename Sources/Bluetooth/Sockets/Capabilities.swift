import CLinux

/// The capabilities of a thread: rights beyond those of an ordinary user (capabilities(7)).
package struct Capabilities: Equatable, Sendable {
    package struct Bits: OptionSet, Hashable, Sendable {
        package let rawValue: UInt64
        package init(rawValue: UInt64) { self.rawValue = rawValue }
        /// Changing network devices and, on the management channel, Bluetooth adapters.
        package static let networkAdministration = Bits(rawValue: 1 << 12)
        package static let rawSockets = Bits(rawValue: 1 << 13)
    }

    package var effective: Bits
    /// The capabilities that the thread may put in effect.
    package var permitted: Bits
    /// The capabilities that a program started by it may get.
    package var inheritable: Bits

    package init(effective: Bits, permitted: Bits, inheritable: Bits = []) {
        (self.effective, self.permitted, self.inheritable) = (effective, permitted, inheritable)
    }

    /// The capabilities of this thread; nil if the kernel does not report it.
    package static var current: Capabilities? {
        var sets = capability_sets()
        guard read_capabilities(&sets) == 0 else { return nil }
        return Capabilities(
            effective: Bits(rawValue: sets.effective), permitted: Bits(rawValue: sets.permitted),
            inheritable: Bits(rawValue: sets.inheritable))
    }

    /// Sets these capabilities for this thread and the threads that it starts from now on; false if the kernel refuses.
    @discardableResult package func apply() -> Bool {
        write_capabilities(
            capability_sets(
                effective: effective.rawValue, permitted: permitted.rawValue,
                inheritable: inheritable.rawValue)) == 0
    }

    /// These capabilities without `bits`, which the thread then cannot get back.
    package func dropping(_ bits: Bits) -> Capabilities {
        Capabilities(
            effective: effective.subtracting(bits), permitted: permitted.subtracting(bits),
            inheritable: inheritable.subtracting(bits))
    }

    /// These capabilities with `bits` not in effect, but still permitted: `raising` puts them in effect again.
    package func lowering(_ bits: Bits) -> Capabilities {
        Capabilities(
            effective: effective.subtracting(bits), permitted: permitted,
            inheritable: inheritable.subtracting(bits))
    }

    /// These capabilities with `bits` in effect, as far as they are permitted.
    package func raising(_ bits: Bits) -> Capabilities {
        Capabilities(
            effective: effective.union(bits.intersection(permitted)), permitted: permitted,
            inheritable: inheritable)
    }
}
