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
        let isToAsk: @Sendable (BeaconSighting) -> Bool = {
            selector.isToBeAsked($0) && !cannotBeUpdated($0) && asked.isNew($0)
        }
        let end = adapter.time.now + limit
        var heard = BeaconSightings(isComplete: adapter.passesEveryReport)
        while adapter.time.now < end, !heard.all.contains(where: { isFound($0) }) {
            heard = try await adapter.listen(
                for: end - adapter.time.now, after: heard, isSearch: true, showing: status
            ) { isFound($0) || isToAsk($0) }
            // The scan response may identify the beacon, or its maker.
            heard = try await adapter.listen(for: Self.makerWait, after: heard, showing: status) {
                isFound($0) || isToAsk($0) && $0.isHeardOut
            }
            guard !heard.all.contains(where: { isFound($0) }),
                let beacon = heard.byStrength.first(where: isToAsk)
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

    /// Whether only a connection can tell whether `beacon` is selected. Devices that advertise no beacon's frames are
    /// not asked.
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

    /// Whether to ask `beacon`, which was just heard: if it was not asked yet, has not answered, or was away since.
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

/// Lists the beacons that may take an update, and asks on the terminal which one to update.
struct DeviceQuestion: Sendable {
    static let listening = Duration.seconds(5)

    private let console: Console
    private let goal: String
    /// Selects and orders the beacons to list.
    private let choose: @Sendable ([BeaconSighting]) -> [BeaconSighting]
    private let table: SightingTable
    /// The end of the message for an empty list: "none of the beacons in range …".
    private let missingWords: String

    init(for job: FlashJob, _ console: Console) {
        self.console = console
        (goal, missingWords) = ("beacons for this file", "can take this file")
        choose = { Self.fitting($0, job) }
        table = SightingTable()
    }

    /// Asks which of the beacons with an update in a catalogue to update.
    /// Those that have to be asked over a connection come last.
    init(for releases: ReleaseSearch, by secrets: SecretStore, _ console: Console) {
        self.console = console
        (goal, missingWords) = (
            "beacons with an update", "advertises a version with an update, or can be asked for its version"
        )
        let updates = UpdateLookup(releases.catalogue, channels: releases.channels, by: secrets)
        choose = { heard in
            let open = heard.filter { $0.vendorWay == nil }
            return open.filter { releases.match($0).chosen != nil } + open.filter { updates.needsReading($0) }
        }
        table = SightingTable(ScanColumn.standard + [.update], updates: updates)
    }

    func answer(with adapter: some Adapter) async throws -> DeviceSelector {
        let status = SearchStatus(console: console, goal: goal)
        let heard = try await adapter.listen(for: Self.listening, showing: status) { _ in false }
        let fitting = choose(heard.byStrength)
        guard !fitting.isEmpty else {
            throw CommandFailure(
                .device.deviceNotFound, during: "looking for the beacon",
                message: "none of the \(heard.count) beacons in range \(missingWords)"
            ).addingCodedAdvice(for: [adapter])
        }
        for line in Self.lines(fitting, in: table) { console.notice(line) }
        console.notice("Number of the beacon to update, or Enter for none:")
        guard let choice = Self.choice(in: try await TypedLines.line(), of: fitting) else {
            throw CommandFailure(
                .command.nothingSelected, during: "looking for the beacon",
                message: "no beacon was chosen from the list")
        }
        return .address(choice.address)
    }

    /// Beacons that advertise the update service of the file. If the update can start the bootloader from the
    /// application, then also connectable beacons that advertise nothing that excludes the file. Both keep the order of
    /// `heard`.
    static func fitting(_ heard: [BeaconSighting], _ job: FlashJob) -> [BeaconSighting] {
        let certain = heard.filter { $0.data.services.contains(job.plan.service) }
        guard job.plan.entry != nil else { return certain }
        return certain
            + heard.filter {
                $0.update == nil && $0.vendorWay == nil && $0.kinds?.contains(job.file.kind) ?? true
                    && $0.isConnectable == true
            }
    }

    /// The table, with a number for each row.
    static func lines(_ beacons: [BeaconSighting], in table: SightingTable) -> [TerminalText] {
        let width = beacons.count.description.count
        let room = max(40, TerminalSize.of(STDERR_FILENO).columns - width - 2)
        return table.lines(beacons, width: room).enumerated().map { index, row in
            let number = index == 0 ? "" : "\(index)"
            return TerminalText(String(repeating: " ", count: width - number.count) + number + "  ") + row
        }
    }

    /// The beacon whose number was typed; nil for anything else.
    static func choice(in line: String, of beacons: [BeaconSighting]) -> BeaconSighting? {
        let typed = line.split(whereSeparator: \.isWhitespace)
        guard typed.count == 1, let number = Int(typed[0]), (1...beacons.count).contains(number) else {
            return nil
        }
        return beacons[number - 1]
    }
}
