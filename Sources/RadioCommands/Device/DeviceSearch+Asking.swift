import Bluetooth
import Bytes
import CommandKit
package import Firmware
import Glibc
import Synchronization
import Tray
import UpdateModel

extension DeviceSearch {
    /// Waits until the selected beacon accepts connections. A beacon whose advertisements do not show whether it is the
    /// selected one is asked over a connection, as ``AskedBeacons`` allows. Returns what was heard, and the address of
    /// the beacon that was identified over a connection; nil if none was.
    func listenAndAsk(with adapter: some Adapter) async throws -> (BeaconSightings, DeviceAddress?) {
        let (selector, asked) = (selector, AskedBeacons())
        let needsQuery: @Sendable (BeaconSighting) -> Bool = {
            selector.needsQuery($0) && !cannotBeUpdated($0) && asked.isNew($0)
        }
        let end = adapter.time.now + limit
        var heard = BeaconSightings(isComplete: adapter.passesEveryReport)
        while adapter.time.now < end, !heard.all.contains(where: { isFound($0) }) {
            heard = try await adapter.listen(
                for: end - adapter.time.now, after: heard, isSearch: true, showing: status
            ) { isFound($0) || needsQuery($0) }
            // The scan response may identify the beacon, or its maker.
            heard = try await adapter.listen(for: Self.makerWait, after: heard, showing: status) {
                isFound($0) || needsQuery($0) && $0.isHeardOut
            }
            guard !heard.all.contains(where: { isFound($0) }),
                let beacon = heard.byStrength.first(where: needsQuery)
            else { continue }
            if try await ask(beacon, noting: asked, with: adapter) { return (heard, beacon.address) }
        }
        return (heard, nil)
    }

    /// Reads the identity of `beacon` over a connection; returns whether it is the selected one.
    private func ask(
        _ beacon: BeaconSighting, noting asked: AskedBeacons, with adapter: some Adapter
    ) async throws -> Bool {
        do {
            let read = { try await ShortReading(with: adapter).read(beacon) }
            let reading =
                if let console = status?.console {
                    try await ActivityLine(on: console, time: adapter.time).showing(
                        "asking \(beacon.address) for its identity", read)
                } else { try await read() }
            asked.note(beacon.address, at: adapter.time.now, hasAnswered: true)
            let isSelected = selector.matches(reading)
            let name = reading.name.map { "name:\($0)" }
            let id = reading.serial.map { "id:\($0)" }
            let words = [name, id].compactMap(\.self).joined(separator: ", ")
            status?.console.warn(
                .command.identityAsked,
                "\(beacon.address) was asked over a connection, and reports \(words.isEmpty ? "no name or id" : words): "
                    + (isSelected ? "it is \(selector)" : "it is not \(selector); still waiting"))
            return isSelected
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

    /// Whether only a connection can tell whether `beacon` is selected. Devices that advertise no beacon's frames are
    /// not asked.
    func needsQuery(_ beacon: BeaconSighting) -> Bool {
        let isUnidentified =
            switch self {
            case .name: beacon.data.name == nil
            case .id: beacon.identity.id == nil
            case .address, .bareAddress, .iBeacon: false
            }
        return isUnidentified && beacon.isConnectable == true && beacon.identity.family != .unknown
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

/// The beacons that were asked for their identity over a connection while the search waits for the selected one.
final class AskedBeacons: Sendable {
    /// A beacon that was not heard for this long may have been away, and is asked again.
    static let absence = Duration.seconds(30)
    /// A beacon that has not answered is asked again after this long.
    static let pause = Duration.seconds(10)

    private struct Asking {
        let moment: Duration
        let hasAnswered: Bool
        var lastHeard: Duration
    }

    private let askings = Mutex<[DeviceAddress: Asking]>([:])

    func note(_ address: DeviceAddress, at moment: Duration, hasAnswered: Bool) {
        askings.withLock { $0[address] = Asking(moment: moment, hasAnswered: hasAnswered, lastHeard: moment) }
    }

    /// Whether to ask `beacon`, which was just heard: it was not asked yet, has not answered for a while, or was away.
    func isNew(_ beacon: BeaconSighting) -> Bool {
        askings.withLock { askings in
            guard let asking = askings[beacon.address] else { return true }
            let hasPaused = !asking.hasAnswered && beacon.lastSeen - asking.moment >= Self.pause
            guard hasPaused || beacon.lastSeen - asking.lastHeard >= Self.absence else {
                askings[beacon.address]?.lastHeard = max(asking.lastHeard, beacon.lastSeen)
                return false
            }
            askings[beacon.address] = nil
            return true
        }
    }
}
