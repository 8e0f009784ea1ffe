import Bluetooth

/// A beacon of a scenario that only advertises its identity.
struct AdvertiserScenarioBeacon: ScenarioBeacon {
    var description: AdvertiserDescription
    var faults: [Fault] = []

    var addresses: Set<DeviceAddress> { [description.address] }

    func simulated(time: Timekeeper, in folder: StateFolder?) throws(ScenarioError) -> any SimulatedPeer {
        SimulatedBeacon(AdvertiserDevice(description, at: time.now), time: time, faults: faults)
    }
}
