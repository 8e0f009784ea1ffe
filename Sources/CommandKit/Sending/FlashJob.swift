import Bluetooth
package import Firmware
package import Tray
package import UpdateModel

/// A firmware file that has passed all checks that need no radio, and its update plan.
package struct FlashJob: Sendable {
    package let path: String
    package let file: any VendorFile
    package let options: UpdateOptions
    package let plan: UpdatePlan

    /// The job that sends `file`, whose application must show `versionText`. Options of the user win over those of a
    /// catalogue. Options without effect on the file are refused, unless the run also sends other files
    /// (`ignoringUnusedOptions`).
    package init(
        _ file: any VendorFile, at path: String, by install: InstallOptions, as sending: SendingOptions,
        of release: CatalogueFirmware? = nil, showing versionText: String? = nil,
        ignoringUnusedOptions ignoresUnused: Bool = false
    ) throws {
        var options = UpdateOptions(versionText: versionText, risks: install.risks(for: file))
        if let key = install.publicKey ?? release?.keyPath { try options.trustKey(at: key) }
        let types: [any VendorOptions.Type] = [TransferOptions.self] + file.optionTypes
        for type in types { try sending.vendors.add(type, to: &options) }
        try self.init(file, at: path, options: options)
        let unused = install.unusedOptions(for: file, sending)
        guard ignoresUnused || unused.isEmpty else {
            throw InstallOptions.failure(ofUnused: unused, on: "a file of kind \(file.kind)")
        }
    }

    /// Refuses files that no bootloader would accept, and those that this version cannot install.
    init(_ file: any VendorFile, at path: String, options: UpdateOptions) throws {
        (self.path, self.file, self.options) = (path, file, options)
        do throws(PlanRefusal) { plan = try file.plan(options) } catch {
            throw Self.failure(error, file, path)
        }
    }

    /// Refuses a beacon that only its maker can update, with the maker's way as the next step.
    package static func checkMaker(of beacon: BeaconSighting) throws(CommandFailure) {
        guard let way = beacon.vendorWay, let maker = beacon.identity.maker else { return }
        throw CommandFailure(
            .catalogue.vendorOnly, during: "looking for the beacon",
            message: "\(beacon.address) is a \(maker.title) beacon and advertises no update service: "
                + "only its maker can update it", nextStep: way)
    }

    /// Refuses a beacon that only its maker can update, or that advertises that it takes another kind of file.
    package func check(_ beacon: BeaconSighting) throws {
        try Self.checkMaker(of: beacon)
        do throws(PlanRefusal) {
            try KnownVendors.check(plan, onDeviceAdvertising: beacon.data.services)
        } catch { throw Self.failure(error, file, path, beacon.address) }
        guard beacon.update == nil, let maker = beacon.identity.maker, let kinds = beacon.kinds,
            !kinds.contains(file.kind)
        else { return }
        throw Self.wrongDevice(
            "\(beacon.address) is a \(maker.title) beacon, which takes "
                + "\(kinds.map(\.rawValue).joined(separator: " or ")) only", file, path)
    }

    private static func wrongDevice(_ reason: String, _ file: any VendorFile, _ path: String)
        -> CommandFailure
    {
        CommandFailure(
            .finding.wrongDevice, during: "looking for the beacon",
            message: "\(reason), but \(path) is of kind \(file.kind)",
            nextStep:
                "get the file for this beacon: `beacon-dfu info --device ADDRESS` shows the kind it takes, `inspect` the kind of a file"
        )
    }

    private static func failure(
        _ refusal: PlanRefusal, _ file: any VendorFile, _ path: String, _ address: DeviceAddress? = nil
    ) -> any Error {
        switch refusal {
        case .file(let finding): CommandFailure(finding, in: path)
        case .notSent(let reason):
            CommandFailure(
                .file.unsupportedKind, during: "reading the package",
                message: "\(path) is of kind \(file.kind): "
                    + (reason ?? "this version can read such files, but not send them yet"))
        case .options(let failure): failure
        case .device(let other):
            wrongDevice(
                "\(address.map { "\($0)" } ?? "the beacon") \(other.isBootloader ? "is a bootloader for" : "takes") \(other.kind)",
                file, path)
        }
    }

    package var warnings: [(code: FailureCode, words: String)] {
        (file.findings(options).filter { $0.level == .warning } + plan.advice).map { finding in
            // An archive entry is named in the finding; a place in the file needs the file's path.
            let isInFile = finding.place.entry == nil && finding.place != Finding.Place()
            return (finding.code, isInFile ? "\(path): \(finding)" : "\(finding)")
        }
    }
}

extension FirmwareRecord {
    package init(_ job: FlashJob, sha256: String) {
        self.init(
            path: job.path, sha256: sha256, kind: job.file.kind.rawValue, bytes: job.file.summary.bytes,
            version: job.file.summary.parts.last?.version?.readable)
    }
}
