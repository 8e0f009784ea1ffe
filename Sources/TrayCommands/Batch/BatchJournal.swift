import Bluetooth
import Bytes
import CommandKit
import Firmware
import RadioCommands
import Synchronization
import Tray
import TrayJournal
import UpdateEngine
import UpdateModel

/// A run's part of the station's journal, as the tray engine writes it.
struct BatchJournal: RunJournal {
    let run: JournalledRun
    let hooks: BatchHooks
    /// Claims from, and results for, the work server; nil for a bench without one.
    let workSession: WorkSession?

    func blocker(of slot: String) async -> UnitVerdict? { await workSession?.blocker(of: slot) }

    func note(_ unit: UnitRecord) async throws { try await run.note(unit) }

    func begin(_ attempt: AttemptRecord, of slot: String) async throws {
        try await run.begin(attempt, of: slot)
    }

    func willChange(
        _ change: DeviceChange, sending firmware: FirmwareRecord, in attempt: Int, of slot: String
    ) async throws {
        try await workSession?.admit(change, with: firmware.sha256, to: slot)
        try await run.willChange(ChangeRecord(change, firmware), in: attempt, of: slot)
    }

    func note(_ attempt: AttemptRecord, of slot: String) async throws {
        try await run.note(attempt, of: slot)
    }

    func close(_ unit: UnitRecord) async throws {
        guard let verdict = unit.verdict else { return }
        let moment = RecordedTime.now
        let news = hooks.entries(of: unit, at: moment)
        let result = workSession.map { [$0.entry(of: unit, of: hooks.header, at: moment)] } ?? []
        try await run.close(unit.slot, verdict, outbox: news + result, at: moment)
        hooks.tell()
        workSession?.tellResult(of: unit.slot)
    }

    func reopen(_ slot: String) async throws { try await run.reopen([slot]) }

    func note(_ hold: TrayRecord.Hold) async throws { try await run.note(hold) }
}

/// The packages of a run. Each is read once, so a file that changes during the run has no effect on later
/// units.
final class PackageCache: Sendable {
    struct Package: Sendable {
        let path: String
        let file: any VendorFile
        let sha256: String
    }

    private let packages = Mutex<[String: Package]>([:])

    /// The package in the file at `path`.
    func package(at path: String) throws -> Package {
        if let known = packages.withLock({ $0[path] }) { return known }
        let file = try FirmwareFile(path: path)
        return keep(file, try file.vendorFile())
    }

    /// The package of a catalogue's release, checked against the catalogue.
    func package(of release: CatalogueFirmware, for family: CatalogueModel) throws -> Package {
        if let path = release.packagePath, let known = packages.withLock({ $0[path] }) { return known }
        let (file, package) = try release.package(for: family)
        return keep(file, package)
    }

    private func keep(_ file: FirmwareFile, _ content: any VendorFile) -> Package {
        let package = Package(
            path: file.path, file: content, sha256: file.sha256)
        packages.withLock { $0[file.path] = package }
        return package
    }
}
