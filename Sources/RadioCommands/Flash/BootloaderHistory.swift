import Bluetooth
import CommandKit
import Firmware
import Tray
import TrayJournal
import UpdateModel

/// The journal's records of a unit in its bootloader, which does not report the application that it had.
struct BootloaderHistory {
    /// The unit's attempts, the latest first.
    private let rows: [HistoryRow]

    /// The attempts at the unit in the `journal`, by the address of its application and that of its bootloader.
    init(of found: DeviceSearch.Result, in journal: Journal, simulated: Bool) async throws(JournalError) {
        var rows: [HistoryRow] = []
        let below = found.beacon.mayBeAboveItsApplication ? [found.beacon.address.neighbour(-1)] : []
        for address in Set([found.application, found.beacon.address] + below) {
            var query = HistoryQuery()
            (query.device, query.isSimulated) = (.address(address), simulated)
            rows += try await journal.history(query, limit: Self.most)
        }
        self.rows = rows.sorted { $0.number > $1.number }
    }

    /// How many attempts are read for each address; an older complete update is not found.
    private static let most = 20

    /// The package for the unit: that of the latest attempt if another try may complete it, else that of the latest
    /// complete update.
    var firmware: (record: FirmwareRecord, isComplete: Bool)? {
        guard let last = rows.first?.attempt else { return nil }
        if let firmware = last.firmware, last.mayBeContinued { return (firmware, false) }
        let passed = rows.first { $0.attempt.verdict?.outcome == .passed }
        return passed?.attempt.firmware.map { ($0, true) }
    }
}

extension AttemptRecord {
    /// Whether it was cut off, or ended for a reason that another try may not meet.
    fileprivate var mayBeContinued: Bool {
        guard let verdict else { return true }
        guard let code = verdict.code.flatMap(FailureCode.known) else { return false }
        return code.exit == .tryAgain || code.exit == .interrupted
    }
}

extension Catalogue {
    /// The path of the package with this SHA-256, with its family and release; nil for one that the catalogue does not
    /// have, or has withdrawn.
    func release(sha256: String) -> (path: String, family: CatalogueFamily, release: CatalogueFirmware)? {
        for family in families {
            for release in family.firmware where release.sha256 == sha256 && release.withdrawn == nil {
                if let path = release.packagePath { return (path, family, release) }
            }
        }
        return nil
    }
}
