/// Storage for a beacon's state that outlives the program that simulates it.
///
/// It is called after every processed packet, so that to the beacon, killing the program is the same as losing the
/// link.
public protocol BeaconMemory: Sendable {
    /// Stores the small part of the state for the first time, so that flash is never stored without it.
    func begin(with state: RetainedState)
    /// Stores the small part of the state, replacing the previous one.
    func remember(_ state: RetainedState)
    /// Stores bytes of the flash; offset 0 is the start of the application. Erased bytes are FF.
    func remember(image bytes: ArraySlice<UInt8>, at offset: Int)
}

extension BeaconMemory {
    /// Does nothing: storage that keeps both parts together needs no first step.
    public func begin(with state: RetainedState) {}
}
