import BeaconIdentity
import BluetoothTypes
import SimulatedDevice
import Timing

/// The one beacon of a scenario that is served.
struct BeaconChoice {
    let peers: [any SimulatedPeer]
    let time: Timekeeper

    /// The one that `selector` means, or the only one there is.
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
                "device-not-found", during: "choosing a beacon",
                message: "no beacon of the scenario is \(selector.map { "\($0)" } ?? "there"); there are "
                    + all.joined(separator: ", "),
                nextStep: "name one of them with --device")
        default:
            throw CommandFailure(
                "device-ambiguous", during: "choosing a beacon",
                message: "a controller serves one beacon, and \(matching.count) are meant: "
                    + matching.map(\.words).joined(separator: ", "),
                nextStep: "name one of them with --device, and serve others with other controllers")
        }
    }
}
