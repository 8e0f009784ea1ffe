import Bluetooth

/// A beacon of a scenario that accepts FBeacon updates.
struct FBeaconScenarioBeacon: ScenarioBeacon {
    var description: FBeaconDescription
    var faults: [Fault] = []

    var addresses: Set<DeviceAddress> { [description.address] }

    func simulated(
        time: Timekeeper, in folder: StateFolder?
    ) throws(ScenarioError) -> any SimulatedPeer {
        FBeaconBeacon(
            description, time: time, faults: faults,
            retained: try folder?.retainedFlash(of: description.address, size: description.flashSize),
            memory: try folder?.memory(of: description.address))
    }
}
