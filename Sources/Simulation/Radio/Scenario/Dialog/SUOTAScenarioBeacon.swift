import Bluetooth

/// A beacon of a scenario with SUOTA.
struct SUOTAScenarioBeacon: ScenarioBeacon {
    var description: SUOTADescription
    var faults: [Fault] = []

    var addresses: Set<DeviceAddress> { [description.address] }

    func simulated(
        time: Timekeeper, in folder: StateFolder?
    ) throws(ScenarioError) -> any SimulatedPeer {
        let size = description.personality.flashSize
        return SUOTABeacon(
            description, time: time, faults: faults,
            retained: try folder?.retainedFlash(of: description.address, size: size),
            memory: try folder?.memory(of: description.address))
    }
}
