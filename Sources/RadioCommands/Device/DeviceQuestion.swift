import Bluetooth
import CommandKit
import Firmware
import Glibc
import Tray
import UpdateModel

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

    /// Lists the beacons that have an update in a catalogue. Those that have to be asked over a connection come last.
    init(for releases: ReleaseSearch, by secrets: SecretStore, _ console: Console) {
        self.console = console
        (goal, missingWords) = (
            "beacons with an update", "advertises a version with an update, or can be asked for its version"
        )
        let updates = CatalogueLookup(releases.catalogue, channels: releases.channels, by: secrets)
        choose = { heard in
            let updatable = heard.filter { $0.vendorWay == nil }
            return updatable.filter { releases.match($0).chosen != nil }
                + updatable.filter { updates.needsReading($0) }
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
        for line in Self.lines(fitting, in: table) { console.alert(line) }
        console.alert("Number of the beacon to update, or Enter for none:")
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
