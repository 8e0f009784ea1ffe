import Bluetooth
import CommandKit
import Firmware
import Glibc
import Identity
import Tray
import UpdateModel

/// Lists the beacons that may take an update, and asks on the terminal which one to update.
struct DeviceQuestion: Sendable {
    static let listening = Duration.seconds(5)

    private let console: Console
    /// What is searched for, in words.
    private let goal: String
    /// Selects and orders the beacons to list.
    private let choose: @Sendable ([BeaconSighting]) -> [BeaconSighting]
    /// The table of the list.
    private let table: SightingTable
    /// What the other beacons lack, in words.
    private let lack: String

    /// Asks which beacon takes the file of `job`.
    init(for job: FlashJob, _ console: Console) {
        self.console = console
        (goal, lack) = ("beacons for this file", "can take this file")
        choose = { Self.fitting($0, job) }
        table = SightingTable()
    }

    /// Asks which of the beacons with an update in a catalogue to update.
    /// Those that have to be asked over a connection come last.
    init(for releases: ReleaseSearch, by secrets: SecretStore, _ console: Console) {
        self.console = console
        (goal, lack) = (
            "beacons with an update",
            "advertises a version with an update, or can be asked for its version"
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
        let heard = try await adapter.listen(for: Self.listening, telling: status) { _ in false }
        let fitting = choose(heard.byStrength)
        guard !fitting.isEmpty else {
            throw CommandFailure(
                .device.deviceNotFound, during: "looking for the beacon",
                message: "none of the \(heard.count) beacons in range \(lack)")
        }
        for line in Self.lines(fitting, in: table) { console.talk(line) }
        console.talk("Number of the beacon to update, or Enter for none:")
        guard let choice = Self.choice(in: try await TypedLine.read(), of: fitting) else {
            throw CommandFailure(
                .command.nothingSelected, during: "looking for the beacon",
                message: "no beacon was chosen from the list")
        }
        return .address(choice.address)
    }

    /// Beacons that advertise the update service of the file; then, if the update can enter a bootloader from
    /// an application, connectable beacons that do not advertise that they take only other files or only
    /// their maker's. The loudest first.
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
        let typed = line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard let number = Int(typed), (1...beacons.count).contains(number) else { return nil }
        return beacons[number - 1]
    }
}
