import Bluetooth

/// A Nordic beacon of a scenario.
struct NordicScenarioBeacon: ScenarioBeacon {
    var description: NordicDescription
    var faults: [Fault] = []

    var addresses: Set<DeviceAddress> { [description.address, description.bootloaderAddress] }

    func simulated(
        time: Timekeeper, in folder: StateFolder?
    ) throws(ScenarioError) -> any SimulatedPeer {
        let retained = try folder?.retained(description)
        return NordicBeacon(
            description, time: time, faults: faults, retained: retained?.state,
            retainedImage: retained?.image ?? [], memory: try folder?.memory(of: description.address))
    }
}
