/// Where a beacon's state outlives the program that simulates it.
///
/// Called after every packet that was processed, so that killing the program is to the beacon no more
/// than a lost link.
public protocol BeaconMemory: Sendable {
    /// Keeps the small part of the state where nothing was kept before, so that no flash is ever kept without it.
    func begin(with state: RetainedState)
    /// Keeps the small part of the state, in place of what was kept before.
    func remember(_ state: RetainedState)
    /// Keeps bytes of the flash; offset 0 is where the application begins. Erased bytes come as FF.
    func remember(image bytes: ArraySlice<UInt8>, at offset: Int)
}

extension BeaconMemory {
    /// What keeps both together needs no beginning.
    public func begin(with state: RetainedState) {}
}
