public import Bluetooth

/// One beacon of a scenario, with its faults.
public protocol ScenarioBeacon: Sendable {
    /// Every address at which one of the beacon's programs advertises.
    var addresses: Set<DeviceAddress> { get }

    /// Creates the beacon, with the state that `folder` holds for it.
    func simulated(
        time: Timekeeper, in folder: StateFolder?
    ) throws(ScenarioError) -> any SimulatedPeer
}
