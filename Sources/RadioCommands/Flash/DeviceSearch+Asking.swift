import Bluetooth
import Bytes
import CommandKit
package import Firmware
import Identity
import Tray

extension DeviceSearch {
    /// Waits until the selected beacon accepts connections. A beacon whose advertisements do not show whether
    /// it is the one is asked over a connection, each once. Returns what was heard, and the address of a
    /// beacon that was identified in this way.
    func listenAndAsk(with adapter: some Adapter) async throws -> (BeaconSightings, DeviceAddress?) {
        let (selector, asked) = (selector, AskedBeacons())
        let isToAsk: @Sendable (BeaconSighting) -> Bool = {
            selector.isToBeAsked($0) && !isHopeless($0) && asked.isNew($0)
        }
        let end = adapter.time.now + limit
        var heard = BeaconSightings(isComplete: adapter.passesEveryReport)
        while adapter.time.now < end, !heard.all.contains(where: { isFound($0) }) {
            heard = try await adapter.listen(
                for: end - adapter.time.now, after: heard, isSearch: true, telling: status
            ) { isFound($0) || isToAsk($0) }
            // Its scan response may identify the beacon, or its maker.
            heard = try await adapter.listen(for: Self.firstTurns, after: heard, telling: status) {
                isFound($0) || isToAsk($0) && $0.isHeardOut
            }
            guard !heard.all.contains(where: { isFound($0) }),
                let beacon = heard.byStrength.first(where: isToAsk)
            else { continue }
            if try await ask(beacon, noting: asked, with: adapter) { return (heard, beacon.address) }
        }
        return (heard, nil)
    }

    /// Asks `beacon` over a connection whether it is the selected one.
    private func ask(
        _ beacon: BeaconSighting, noting asked: AskedBeacons, with adapter: some Adapter
    ) async throws -> Bool {
        do {
            let reading = try await ShortReading(with: adapter).read(beacon)
            asked.note(beacon.address, at: adapter.time.now, hasAnswered: true)
            let isMeant = selector.matches(reading)
            let name = reading.name.map { "name:\($0)" }
            let id = reading.serial.map { "id:\($0)" }
            let words = [name, id].compactMap(\.self).joined(separator: ", ")
            status?.console.warn(
                .command.identityAsked,
                "\(beacon.address) was asked over a connection, and reports \(words.isEmpty ? "no name or id" : words): "
                    + (isMeant ? "it is \(selector)" : "it is not \(selector); still waiting"))
            return isMeant
        } catch let failure as CommandFailure {
            asked.note(beacon.address, at: adapter.time.now, hasAnswered: false)
            status?.console.warn(
                .command.identityAsked,
                "\(beacon.address) was asked over a connection, but did not answer: \(failure.message)")
            return false
        }
    }
}

extension DeviceSelector {
    /// Whether a beacon can be identified over a connection if its advertisements do not identify it.
    var canBeAsked: Bool {
        switch self {
        case .name, .id: true
        case .address, .bareAddress, .iBeacon: false
        }
    }

    /// Whether only a connection can tell whether `beacon` is selected. Devices that do not advertise as
    /// beacons do are not asked.
    func isToBeAsked(_ beacon: BeaconSighting) -> Bool {
        let isOpen =
            switch self {
            case .name: beacon.data.name == nil
            case .id: beacon.identity.id == nil
            case .address, .bareAddress, .iBeacon: false
            }
        return isOpen && beacon.isConnectable == true && beacon.identity.family != .unknown
            && ShortReading.isAllowed(of: beacon)
    }

    /// Whether a beacon with this reading, taken over a connection, is the selected one.
    package func matches(_ reading: DeviceReading) -> Bool {
        switch self {
        case .name(let pattern): reading.name.map(pattern.matches) ?? false
        case .id(let id): reading.serial?.lowercased() == id.lowercased()
        case .address, .bareAddress, .iBeacon: false
        }
    }
}
