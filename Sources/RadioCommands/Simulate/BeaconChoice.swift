import Bluetooth
import CommandKit
import Identity
import Simulation
import UpdateModel

/// Chooses the one beacon of a scenario to serve.
struct BeaconChoice {
    let peers: [any SimulatedPeer]
    let time: Timekeeper

    /// The beacon that `selector` matches, or the only one of the scenario.
    func beacon(_ selector: DeviceSelector?) async throws(CommandFailure) -> any SimulatedPeer {
        var matching: [(peer: any SimulatedPeer, words: String)] = []
        var all: [String] = []
        for peer in peers {
            let address = await peer.address
            let report = await peer.advertisement(at: time.now)
            let words = "\(address) (\(report?.data.name ?? "no name"))"
            all.append(words)
            let isMeant =
                selector.map { selector in
                    selector.means(address)
                        || report.map { selector.matches(BeaconSighting($0, at: time.now)) } ?? false
                } ?? true
            if isMeant { matching.append((peer, words)) }
        }
        switch matching.count {
        case 1: return matching[0].peer
        case 0:
            throw CommandFailure(
                .device.deviceNotFound, during: "choosing a beacon",
                message:
                    "no beacon of the scenario matches \(selector.map { "\($0)" } ?? "anything"); it has "
                    + all.joined(separator: ", "),
                nextStep: "select one of them with --device")
        default:
            throw CommandFailure(
                .device.deviceAmbiguous, during: "choosing a beacon",
                message: "a controller serves one beacon, but \(matching.count) match: "
                    + matching.map(\.words).joined(separator: ", "),
                nextStep: "select one of them with --device, and serve others with other controllers")
        }
    }
}
