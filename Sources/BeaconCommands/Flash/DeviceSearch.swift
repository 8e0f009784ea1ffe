import BeaconIdentity
import BluetoothTypes
import FirmwareModel
import Radio
import Timing

/// Finds the one beacon that a selector means.
struct DeviceSearch: Sendable {
    let selector: DeviceSelector
    let limit: Duration
    /// Shows the progress of the search.
    var status: SearchStatus?
    /// Whether the first that is heard of the beacon is enough.
    var isHasty = false
    /// Whether it counts only when it can be connected to, and then at once.
    var isWaiting = false

    /// What was found.
    struct Result: Sendable {
        /// The beacon.
        let beacon: BeaconSighting
        /// The application that was selected and not heard, where this is its bootloader.
        var absent: DeviceAddress?
        /// How long another program's scan was in the way of hearing.
        var deafness = Duration.zero
        /// The address of every device that was heard.
        var heard: Set<DeviceAddress> = []
        /// Since when, by the adapter's time, it was looked for.
        let since: Duration
        /// The trigger for which an iBeacon advertises another identity than the selected one.
        var trigger: IBeaconTrigger?

        /// What is to be known of the beacon before it is updated: codes and words.
        var warnings: [(code: String, words: String)] {
            let address = beacon.address
            var warnings: [(code: String, words: String)] = []
            if deafness >= .seconds(1) {
                warnings.append(
                    (
                        "adapter-deaf",
                        "another program's scan hid beacons for \(Quantities.seconds(deafness.seconds)), which were not counted as looking"
                    ))
            }
            for (part, code) in [
                (AdvertisedIdentity.Part.battery, "battery-unknown"), (.version, "version-unknown"),
            ]
            where beacon.identity.missing.contains(part) {
                warnings.append(
                    (code, "\(address) has not advertised its \(part.rawValue), as beacons of its kind do"))
            }
            if let trigger {
                warnings.append(
                    (
                        "ibeacon-trigger",
                        "\(address) advertises another UUID than the selected one at the moment, because of \(trigger.words)"
                    ))
            }
            if let absent {
                warnings.append(
                    (
                        "bootloader-assumed",
                        "\(absent) is silent; \(address) is where its bootloader would be, and is one"
                    ))
            }
            return warnings
        }
    }

    func find(with adapter: some Adapter) async throws -> BeaconSighting {
        try await findUnit(with: adapter, inItsBootloader: false).beacon
    }

    /// The unit, in its application or in its bootloader: an interrupted update goes on with the same command, although
    /// the application's address is silent meanwhile. The address rule gives the bootloader's.
    func findUnit(with adapter: some Adapter, inItsBootloader: Bool = true) async throws -> Result {
        // A beacon that is in use does not advertise, so it need not be looked for.
        for address in selector.addresses { _ = try adapter.claim(address) }
        let since = adapter.time.now
        let deafBefore = adapter.deafTime
        let (heard, asked) = try await listen(with: adapter)
        let deafness = adapter.deafTime - deafBefore
        var matching = heard.byStrength.filter {
            $0.address == asked || selector.matches($0) && (!isWaiting || $0.isConnectable == true)
        }
        if matching.isEmpty { matching = heard.byStrength.filter { selector.trigger(of: $0) != nil } }
        let everybody = Set(heard.byStrength.map(\.address))
        guard let first = matching.first else {
            if inItsBootloader, let bootloader = bootloader(among: heard.byStrength),
                isAboveItsApplication(bootloader)
            {
                return Result(
                    beacon: bootloader, absent: bootloader.address.neighbour(-1), deafness: deafness,
                    heard: everybody, since: since)
            }
            for address in selector.addresses where await adapter.isHeldElsewhere(address) {
                throw AdapterError.held(address)
            }
            throw notFound(heard.byStrength, deafness)
        }
        guard matching.count == 1 else { throw ambiguous(matching) }
        return Result(
            beacon: first, deafness: deafness, heard: everybody, since: since,
            trigger: selector.trigger(of: first))
    }

    /// What was heard, and who of them has said over a connection that it is meant.
    private func listen(with adapter: some Adapter) async throws -> (BeaconSightings, DeviceAddress?) {
        let (selector, isWaiting) = (selector, isWaiting)
        guard !isWaiting || !selector.canBeAsked else {
            let (heard, asked) = try await listenAndAsk(with: adapter)
            return (try await complete(heard, asked, with: adapter), asked)
        }
        var heard = try await adapter.listen(for: limit, isSearch: true, telling: status) {
            isWaiting ? selector.matches($0) && $0.isConnectable == true : selector.means($0.address)
        }
        if !selector.isUnique, !selector.addresses.isEmpty,
            heard.byStrength.contains(where: { selector.matches($0) })
        {
            // An address with the same digits and the other type would be another beacon.
            heard = try await adapter.listen(for: Self.secondLook, after: heard, afresh: false) { _ in false }
        }
        return (try await complete(heard, nil, with: adapter), nil)
    }

    /// What was heard until the only one that matches, or that was `asked`, has said what decides about an update: that may
    /// be in a frame that has not been its turn yet.
    private func complete(
        _ heard: BeaconSightings, _ asked: DeviceAddress?, with adapter: some Adapter
    ) async throws -> BeaconSightings {
        let selector = selector
        let isMeant: @Sendable (BeaconSighting) -> Bool = { $0.address == asked || selector.matches($0) }
        let found = heard.all.filter(isMeant)
        guard !isHasty, found.count == 1, !found[0].isDecidable else { return heard }
        return try await adapter.listen(
            for: found[0].isKnown && !isWaiting ? Self.wholeTurn : Self.firstTurn, after: heard,
            telling: status
        ) { isMeant($0) && $0.isDecidable }
    }

    /// Who made a beacon may stand in its scan response only, and that comes with its next advertisement at the latest.
    static let firstTurn = Duration.seconds(1)

    /// Four kinds of frames in turn at 2 s (kbeacon.md, 2.7).
    private static let wholeTurn = Duration.seconds(10)

    /// More than the interval of most beacons.
    private static let secondLook = Duration.milliseconds(200)

    /// The beacon that is heard `step` above one of the selected addresses.
    private func neighbour(_ step: Int8, among heard: [BeaconSighting], isBootloader: Bool) -> BeaconSighting?
    {
        let places = selector.addresses.map { $0.neighbour(step) }
        return heard.first { places.contains($0.address) && $0.isBootloader == isBootloader }
    }

    private func bootloader(among heard: [BeaconSighting]) -> BeaconSighting? {
        neighbour(1, among: heard, isBootloader: true)
    }

    /// Whether a bootloader is above its application's address by its kind. Those of bonded units (which are not
    /// discoverable) are at the application's own: the one at the next address may be another unit's.
    private func isAboveItsApplication(_ bootloader: BeaconSighting) -> Bool {
        bootloader.update?.isAboveApplication ?? false
            && bootloader.data.elements.contains {
                if case .flags(let bits) = $0 { bits & 0x03 != 0 } else { false }
            }
    }

    private func notFound(_ heard: [BeaconSighting], _ deafness: Duration) -> CommandFailure {
        var message = "nothing that was heard in \(Quantities.seconds(limit.seconds)) is \(selector)"
        if deafness >= .seconds(1) {
            message +=
                ", nor in \(Quantities.seconds(deafness.seconds)) more, when another program's scan hid beacons"
        }
        message += heard.isEmpty ? "; no beacon at all was heard" : "; heard were " + Self.list(heard)
        return CommandFailure(
            "device-not-found", during: "looking for the device", message: message, nextStep: hint(heard),
            details: ["seen": .list(heard.map { .object($0.members) })])
    }

    /// A hint that the same unit was heard in its other program, by the address rule.
    private func hint(_ heard: [BeaconSighting]) -> String? {
        if case .address(let wanted) = selector,
            let twin = heard.first(where: { $0.address.bytes == wanted.bytes })
        {
            return "\(wanted) is heard as a \(twin.address.kind.rawValue) address: select it as "
                + "\(wanted)/\(twin.address.kind.rawValue)"
        }
        if isWaiting, heard.contains(where: { selector.matches($0) }) {
            return
                "it is heard, and takes no connections: press its button, or switch it off and on, while this waits"
        }
        if let loader = bootloader(among: heard) {
            return "\(loader.address) is a bootloader, probably of this unit; select it by that address"
        }
        if let program = neighbour(-1, among: heard, isBootloader: false) {
            return "\(program.address) is probably this unit in its application; select it by that address"
        }
        return nil
    }

    private func ambiguous(_ matching: [BeaconSighting]) -> CommandFailure {
        CommandFailure(
            "device-ambiguous", during: "looking for the device",
            message: "\(matching.count) beacons are \(selector): " + Self.list(matching),
            details: ["seen": .list(matching.map { .object($0.members) })])
    }

    private static func list(_ sightings: [BeaconSighting]) -> String {
        sightings.map { "\($0.address)/\($0.address.kind.rawValue) (\($0.data.name ?? "no name"))" }
            .joined(separator: ", ")
    }
}

extension BeaconSighting {
    /// Whether it has said all of what an update depends on, as far as beacons of its kind say it.
    var isDecidable: Bool { isKnown && !identity.missing.contains { $0 == .version || $0 == .battery } }

    /// Whether its frames or services tell whose it is, or what it takes.
    var isKnown: Bool { identity.maker != nil || update != nil }
}

extension Duration {
    fileprivate var seconds: Double { self / .seconds(1) }
}
