import Bluetooth
import Bytes
import CommandKit
import Firmware
import Synchronization
import Tray
import UpdateEngine
import UpdateModel

/// Decides, as `flash` does, which firmware a unit of a tray gets, and which verdict an error means.
package struct BatchPlanner: UnitPlanner {
    /// The source of firmware for units whose slot is not in `sources`.
    let common: UnitSource?
    let sources: [String: UnitSource]
    let sending: UnitSending
    let packageCache = PackageCache()
    let install: InstallOptions
    let acceptsReappearance: Bool
    /// The settings to write after the firmware update.
    let settings: TraySettings
    let secrets: SecretStore
    /// The options of the run for the commands in next steps.
    var repeated = RepeatedOptions()
    /// Whether the run is this bench's own, not one of an order: an option then continues it.
    var isOwnRun = true
    /// Advice for units that were not found: they may advertise on LE Coded only. Nil if the adapters receive that.
    var codedAdvice: String?

    func job(
        for target: TrayTarget, found beacon: BeaconSighting, with adapter: some Adapter,
        warning warn: @escaping WarningHandler
    ) async throws -> UnitJob {
        guard let source = try resumed(target, beacon) ?? sources[target.slot] ?? common else {
            throw CommandFailure(
                .system.internalError, during: "planning the update",
                message: "\(target.slot) has no firmware")
        }
        let chosen = try await choose(
            source, for: beacon, as: sending[target.slot], with: adapter, warning: warn)
        let job = chosen.job
        try job.check(beacon)
        try LockRisk.check(beacon, allowing: [])
        let battery = BatteryCheck(limit: try install.batteryLimit(for: chosen.release?.family))
        try battery(beacon.identity.charge, of: beacon.address)
        for warning in job.warnings { warn(AttemptRecord.Warning(warning.code, warning.words)) }
        return UnitJob(
            job.plan.procedure, entering: job.plan.entry,
            firmware: FirmwareRecord(job, sha256: chosen.sha256),
            versionBefore: chosen.release?.device.version ?? beacon.identity.version,
            fruitlessLinks: chosen.fruitlessLinks, following: job.options[TransferOptions.self],
            accepting: job.options.risks, showing: .advertised(expecting: chosen.release?.advertisedVersion),
            identifying: secrets.identifying(beacon, for: job.plan, readingSettings: true)
        ) { (heard) throws(UpdateFailure) in
            try battery(AdvertisedIdentity(heard.data, from: heard.address).charge, of: heard.address)
        } inspect: { (facts) throws(UpdateFailure) in
            try battery(facts, of: beacon.address)
        }
    }

    /// Reads and checks every file that is named. An option must have an effect on at least one of them, and a slot's
    /// settings on the slot's file. With a catalogue, options are not checked: its files are not known yet.
    func checkFiles() throws {
        var idle: Set<String>?
        let named = sources.map { (slot: String?.some($0), source: $1) } + (common.map { [(nil, $0)] } ?? [])
        for (slot, source) in named {
            guard case .file(let path) = source else {
                idle = []
                continue
            }
            let file = try packageCache.package(at: path).file
            _ = try FlashJob(
                file, at: path, by: install, as: slot.map { sending[$0] } ?? sending.common,
                ignoringUnusedOptions: true
            )
            try slot.map { try sending.check(file, for: $0) }
            let unused = Set(install.unusedOptions(for: file, install.sending))
            idle = idle.map { $0.intersection(unused) } ?? unused
        }
        guard let idle, !idle.isEmpty else { return }
        throw InstallOptions.failure(ofUnused: idle.sorted(), on: "any file of the tray")
    }

    /// The firmware of an earlier update that left the unit in its bootloader; nil if none did. A bootloader does not
    /// report which release it was sent, so a catalogue cannot choose.
    private func resumed(_ target: TrayTarget, _ beacon: BeaconSighting) throws -> UnitSource? {
        guard beacon.isBootloader, let firmware = target.earlier else { return nil }
        guard try packageCache.package(at: firmware.path).sha256 == firmware.sha256 else {
            throw CommandFailure(
                .tray.fileChanged, during: "planning the update",
                message: "\(firmware.path) has changed since the update of \(beacon.address) began")
        }
        return .file(firmware.path)
    }

    private struct Choice {
        let job: FlashJob
        let sha256: String
        /// How many links may fail in a row.
        let fruitlessLinks: Int
        /// The catalogue's choice; nil if a file was named.
        let release: ReleaseSearch.Result?
    }

    private func choose(
        _ source: UnitSource, for beacon: BeaconSighting, as sending: SendingOptions,
        with adapter: some Adapter, warning warn: @escaping WarningHandler
    ) async throws -> Choice {
        switch source {
        case .file(let path):
            let package = try packageCache.package(at: path)
            let job = try FlashJob(
                package.file, at: path, by: install, as: sending, ignoringUnusedOptions: true)
            return Choice(
                job: job, sha256: package.sha256, fruitlessLinks: sending.fruitlessLinks, release: nil)
        case .catalogue(let releases):
            let chosen = try await releases.choose(for: beacon, with: adapter, by: secrets) { code, words in
                warn(AttemptRecord.Warning(code, words))
            }
            let package = try packageCache.package(of: chosen.release, for: chosen.family)
            let sending = try sending.completed(by: chosen.family)
            let job = try FlashJob(
                package.file, at: package.path, by: install, as: sending, of: chosen.release,
                showing: chosen.shownVersion, ignoringUnusedOptions: true)
            return Choice(
                job: job, sha256: package.sha256, fruitlessLinks: sending.fruitlessLinks, release: chosen)
        }
    }

    func canBlink(_ beacon: BeaconSighting) -> Bool {
        (try? BlinkMethod(of: beacon, BlinkRequest(for: .zero))) != nil
    }

    func blink(
        _ beacon: BeaconSighting, for length: Duration, with adapter: some Adapter,
        begin: @escaping @Sendable () -> Void
    ) async throws {
        try await BlinkMethod(of: beacon, BlinkRequest(for: length)).show(
            beacon, with: adapter, by: secrets, begin: begin)
    }

    func verdict(for error: any Error, at address: DeviceAddress, sending file: String?) -> UnitVerdict {
        let place = (error as? UpdateFailure)?.state?.address ?? address
        var verdict = UnitVerdict(error)
        let cause = verdict.code.flatMap(FailureCode.known)
        verdict.nextStep = verdict.nextStep.map {
            Self.onTray($0, after: cause, sending: file, isOwnRun: isOwnRun)
        }
        return verdict.repeating(repeated.naming(.bareAddress(place), file: file))
    }

    /// Adapts `step`, the next step of `flash` after `cause`, to a unit of a tray. The same command would begin a new run,
    /// to which a unit in its bootloader is not known; an option continues the run if it is this bench's own. No option of
    /// a run selects a unit or decides how its version is verified: such advice becomes a `flash` of that unit alone.
    static func onTray(
        _ step: String, after cause: FailureCode?, sending file: String?, isOwnRun: Bool
    ) -> String {
        let step =
            cause.map { step.replacing($0.nextStep.withOptions, with: $0.nextStepOnTray.withOptions) } ?? step
        let path = file.flatMap { $0.contains("`") ? nil : ShellWord.quoted($0) } ?? "FILE"
        let alone = step.replacing(
            /run the same command with (?<options>--device [^ ;,]+( --bootloader [^ ;,]+)?)( instead of --bootloader [^ ;,]+)?/
        ) {
            "run `beacon-dfu flash \(path) \($0.options)`"
        }.replacing(/(use|flash with) (?<options>--(no-verify|expect-version [^;]+))/) {
            "update this unit alone: `beacon-dfu flash \(path) \($0.options) --device ADDRESS`"
        }
        guard isOwnRun else { return alone }
        return alone.replacing(/run the same command(?<again> again)?(?<with> with )?/) { match in
            "run the same command\(match.again ?? "") with \(Setting.retryFailed.option)"
                + (match.with == nil ? "" : " and ")
        }
    }

    func nextStep(after code: String, at address: DeviceAddress?) -> String? {
        let cause = FailureCode.known(code) ?? FailureCode(named: code)
        let advice = cause == .device.deviceNotFound ? codedAdvice : nil
        return repeated.naming(address.map(DeviceSelector.bareAddress)).added(
            to: [cause.nextStepOnTray.withOptions, advice].compactMap(\.self).joined(separator: "; "))
    }

    func mayHelp(after verdict: UnitVerdict) -> Bool {
        guard verdict.outcome == .failed || verdict.outcome == .unknown, let code = verdict.code else {
            return false
        }
        return FailureCode.known(code)?.exit == .tryAgain
    }
}

// MARK: Settings

extension BatchPlanner {
    func configure(
        _ target: TrayTarget, found beacon: BeaconSighting, at address: DeviceAddress,
        with adapter: some Adapter, warning warn: @escaping WarningHandler,
        willWrite: @escaping @Sendable () async throws -> Void
    ) async throws -> [String]? {
        guard !settings.isEmpty else { return nil }
        // A beacon that was found in its bootloader has not revealed its maker.
        let vendor =
            beacon.isBootloader
            ? KnownVendors.withSessions.first(where: \.hasAnonymousBootloader)
            : KnownVendors.vendor(of: beacon)
        guard let vendor = vendor as? any SettingsVendor, settings.has(vendor) else {
            warn(.isOfAnotherMaker)
            return nil
        }
        do {
            return try await configure(
                vendor, beacon, at: address, with: adapter, warning: warn, willWrite: willWrite)
        } catch let failure as SessionFailure where beacon.isBootloader && failure.code == .session.notOffered
        {
            warn(.isOfAnotherMaker)
            return nil
        }
    }

    private func configure<Vendor: SettingsVendor>(
        _ vendor: Vendor, _ beacon: BeaconSighting, at address: DeviceAddress, with adapter: some Adapter,
        warning warn: @escaping WarningHandler, willWrite: @escaping @Sendable () async throws -> Void
    ) async throws -> [String]? {
        try await secrets.withSession(vendor, with: beacon, at: address, over: adapter) { session in
            guard let wanted = settings.settings(Vendor.Settings.self, for: await session.opened) else {
                warn(
                    AttemptRecord.Warning(
                        .command.settingsNotMeant, "no settings file is for beacons of its generation"))
                return nil
            }
            try await willWrite()
            return try await session.perform { SettingsChange(to: wanted, of: $0) }.map(\.row)
        }
    }
}

extension AttemptRecord.Warning {
    fileprivate static let isOfAnotherMaker = Self(
        .command.settingsNotMeant, "no settings file is for beacons of its maker")
}

enum UnitSource: Sendable {
    /// The package at this path.
    case file(String)
    case catalogue(ReleaseSearch)
}

/// The packages of a run. Each is read once, so a file that changes during the run has no effect on later units.
final class PackageCache: Sendable {
    struct Package: Sendable {
        let path: String
        let file: any VendorFile
        let sha256: String
    }

    private let packages = Mutex<[String: Package]>([:])

    func package(at path: String) throws -> Package {
        if let known = packages.withLock({ $0[path] }) { return known }
        let file = try FileContent(path: path)
        return keep(file, try file.vendorFile())
    }

    /// The package of a catalogue's release, checked against the catalogue.
    func package(of release: CatalogueFirmware, for family: CatalogueFamily) throws -> Package {
        if let path = release.packagePath, let known = packages.withLock({ $0[path] }) { return known }
        let (file, package) = try release.package(for: family)
        return keep(file, package)
    }

    private func keep(_ file: FileContent, _ content: any VendorFile) -> Package {
        let package = Package(path: file.path, file: content, sha256: file.sha256)
        packages.withLock { $0[file.path] = package }
        return package
    }
}
