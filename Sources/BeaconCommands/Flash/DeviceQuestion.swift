import BeaconIdentity
import BluetoothTypes
import Catalogue
import Glibc
import PacketSockets
import Radio
import Tray
import UpdateCore
import Vendors

/// Lists the beacons that may take an update, and asks a person on the terminal which one is meant.
struct DeviceQuestion: Sendable {
    static let listening = Duration.seconds(5)

    private let console: Console
    /// What is looked for, in words.
    private let goal: String
    /// Those that are listed, the first ones first.
    private let choose: @Sendable ([BeaconSighting]) -> [BeaconSighting]
    /// How they are listed.
    private let table: SightingTable
    /// What those that are not listed lack.
    private let lack: String

    /// Which beacon takes the file of `job`.
    init(for job: FlashJob, _ console: Console) {
        self.console = console
        (goal, lack) = ("beacons for this file", "can take this file")
        choose = { Self.fitting($0, job) }
        table = SightingTable()
    }

    /// Which of those for which a catalogue has an update.
    /// After them come those that have to be asked over a connection.
    init(for releases: ReleaseSearch, by secrets: SecretKeeper, _ console: Console) {
        self.console = console
        (goal, lack) = (
            "beacons with an update",
            "advertises that there is an update for it, or can be asked whether there is"
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
                "device-not-found", during: "looking for the device",
                message: "none of the \(heard.count) beacons that were heard \(lack)")
        }
        for line in Self.lines(fitting, in: table) { console.talk(line) }
        console.talk("Number of the beacon to update, or Enter to leave all as they are:")
        guard let choice = Self.choice(in: try await TypedLine.read(), of: fitting) else {
            throw CommandFailure(
                "nothing-selected", during: "looking for the device",
                message: "no beacon of the list was chosen")
        }
        return .address(choice.address)
    }

    /// Those that advertise the update service of the file; then, where an application can be sent to its bootloader, those
    /// that take connections and do not advertise that they take other files, or only their maker's. The loudest first.
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
