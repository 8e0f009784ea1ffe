import BluetoothTypes
import NordicDFU
import Radio

/// Finds the one beacon that a selector means.
struct DeviceSearch: Sendable {
    let selector: DeviceSelector
    let limit: Duration

    /// What was found.
    struct Result: Sendable {
        /// The beacon.
        let beacon: Sighting
        /// The application that was selected and not heard, where this is its bootloader.
        var absent: DeviceAddress?
        /// Everybody who was heard.
        var heard: Set<DeviceAddress> = []
    }

    func find(with adapter: some Adapter) async throws -> Sighting {
        try await findUnit(with: adapter, inItsBootloader: false).beacon
    }

    /// The unit, in its application or in its bootloader: an update that was interrupted goes on with the same
    /// command, though the application's address is silent meanwhile. The address rule foretells the
    /// bootloader's.
    func findUnit(with adapter: some Adapter, inItsBootloader: Bool = true) async throws -> Result {
        let selector = selector
        let heard = try await adapter.listen(for: limit) { selector.isUnique && selector.matches($0) }
        let matching = heard.all.filter { sighting in
            selector.matches(
                Advertisement(
                    address: sighting.address, rssi: sighting.rssi, isConnectable: sighting.isConnectable,
                    data: sighting.data))
        }
        let everybody = Set(heard.all.map(\.address))
        guard let first = matching.first else {
            if inItsBootloader, let bootloader = bootloader(among: heard.all),
                isAboveItsApplication(bootloader)
            {
                return Result(beacon: bootloader, absent: bootloader.address.neighbour(-1), heard: everybody)
            }
            throw notFound(heard.all)
        }
        guard matching.count == 1 else { throw ambiguous(matching) }
        return Result(beacon: first, heard: everybody)
    }

    private func bootloader(among heard: [Sighting]) -> Sighting? {
        guard case .address(let wanted) = selector else { return nil }
        return heard.first { $0.address == wanted.neighbour(1) && $0.isBootloader }
    }

    /// Whether a bootloader is above its application's address by its kind. Legacy ones of SDK 6.1 and earlier, and
    /// those of bonded units (which are not discoverable), are at the application's own: the one at the next address
    /// may be another unit's.
    private func isAboveItsApplication(_ bootloader: Sighting) -> Bool {
        bootloader.data.services.contains(SecureService.uuid)
            && bootloader.data.elements.contains {
                if case .flags(let bits) = $0 { bits & 0x03 != 0 } else { false }
            }
    }

    private func notFound(_ heard: [Sighting]) -> CommandFailure {
        var message = "nothing that was heard in \(Quantities.seconds(limit.seconds)) is \(selector)"
        message += heard.isEmpty ? "; no beacon at all was heard" : "; heard were " + Self.list(heard)
        return CommandFailure(
            "device-not-found", during: "looking for the device", message: message, nextStep: hint(heard),
            details: ["seen": .list(heard.map { .object($0.members) })])
    }

    /// The same unit in its other program, where the address rule gives it away.
    private func hint(_ heard: [Sighting]) -> String? {
        guard case .address(let wanted) = selector else { return nil }
        if let twin = heard.first(where: { $0.address.bytes == wanted.bytes }) {
            return "\(wanted) is heard as a \(twin.address.kind.rawValue) address: select it as "
                + "\(wanted)/\(twin.address.kind.rawValue)"
        }
        if let loader = bootloader(among: heard) {
            return "\(loader.address) is a bootloader, probably of this unit; select it by that address"
        }
        if let program = heard.first(where: { $0.address == wanted.neighbour(-1) && !$0.isBootloader }) {
            return "\(program.address) is probably this unit in its application; select it by that address"
        }
        return nil
    }

    private func ambiguous(_ matching: [Sighting]) -> CommandFailure {
        CommandFailure(
            "device-ambiguous", during: "looking for the device",
            message: "\(matching.count) beacons are \(selector): " + Self.list(matching),
            details: ["seen": .list(matching.map { .object($0.members) })])
    }

    private static func list(_ sightings: [Sighting]) -> String {
        sightings.map { "\($0.address) (\($0.data.name ?? "no name"))" }.joined(separator: ", ")
    }
}

extension Duration {
    fileprivate var seconds: Double { self / .seconds(1) }
}
