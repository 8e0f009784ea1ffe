import Bluetooth
import Bytes
public import Simulation

extension ScenarioKind {
    /// A Marble beacon: keys `name`, `board`, `version`, `pin`, `sealed` and `rssi`.
    public static let marble = ScenarioKind(name: "marble") {
        (entry: inout BeaconEntry) throws(YAMLProblem) -> any ScenarioBeacon in
        var description = MarbleDescription(address: entry.address)
        description.name = try entry.text("name") ?? description.name
        description.board = try entry.number("board") ?? description.board
        description.version = try entry.text("version") ?? description.version
        description.pin = try entry.text("pin") ?? description.pin
        description.isSealed = try entry.truth("sealed") ?? description.isSealed
        description.rssi = try entry.number("rssi") ?? description.rssi
        return MarbleScenarioBeacon(description: description, faults: try entry.faults())
    }
}

/// A Marble beacon of a scenario.
private struct MarbleScenarioBeacon: ScenarioBeacon {
    let description: MarbleDescription
    let faults: [Fault]

    var addresses: Set<DeviceAddress> { [description.address] }

    func simulated(time: Timekeeper, in folder: StateFolder?) throws(ScenarioError) -> any SimulatedPeer {
        let retained = try folder?.retainedFlash(of: description.address, size: MarbleFlash.size)
        let memory = try folder?.memory(of: description.address)
        let device = MarbleDevice(description, retained: retained)
        memory?.remember(image: device.flash.content(0..<MarbleFlash.size)[...], at: 0)
        return SimulatedBeacon(device, time: time, faults: faults, memory: memory)
    }
}
