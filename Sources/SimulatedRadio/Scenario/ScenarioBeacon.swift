public import BluetoothTypes
public import SimulatedDevice
public import Timing

/// One beacon of a scenario, and what goes wrong with it.
public protocol ScenarioBeacon: Sendable {
    /// Where the beacon's programs can be heard.
    var addresses: Set<DeviceAddress> { get }

    /// The beacon, with what `folder` remembers of it.
    func simulated(
        time: Timekeeper, in folder: StateFolder?
    ) throws(ScenarioError) -> any SimulatedPeer
}
