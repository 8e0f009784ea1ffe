package import UpdateModel

extension LegacyPackage: VendorFile {
    package var kind: FirmwareKind { .nordicLegacy }
    package var usualExtension: String { ".zip" }
    package var optionTypes: [any VendorOptions.Type] { [NordicOptions.self] }
    /// The risks that a user may accept with it.
    package var risks: Set<Risk> { [.sameVersion, .wrongFamily, .unchangedVersion] }

    /// The device types of its parts; FFFF means any.
    package var hardware: String? {
        let types = Set(parts.compactMap(\.initPacket?.deviceType)).subtracting([.max]).sorted()
        return types.isEmpty ? nil : types.map { "type \($0)" }.joined(separator: ", ")
    }

    package var summary: PackageSummary {
        PackageSummary(
            parts.map { part in
                PackageSummary.Part(
                    part.role.title, bytes: part.image.count, version: part.version,
                    remarks: ["Legacy DFU"], isApplication: part.role == .application)
            })
    }

    /// Everything that bootloaders refuse, or that people should know.
    package func findings(_ options: UpdateOptions) -> [Finding] {
        findings(key: options[NordicOptions.self].key)
    }

    package func releaseFindings(_ options: UpdateOptions, for device: TargetDevice?) -> [Finding] {
        let signed = parts.filter { $0.initPacket?.end.signature != nil }
        return findings(options).forRelease(
            signatures: signed.map { Finding.Place(entry: $0.datFile, field: "init_packet_ecds") },
            options[NordicOptions.self].key, ignoring: ignoredEntries)
    }

    package func answers(of device: TargetDevice, _ options: UpdateOptions) -> [Answer] {
        LegacyTargetCheck(target: NordicTarget(device)).answers(to: self)
    }

    package func plan(_ options: UpdateOptions) throws(PlanRefusal) -> UpdatePlan {
        if let error = findings(options).firstError { throw .file(error) }
        guard let first = parts.first else { throw .file(.nothingToSend) }
        return UpdatePlan(
            PartSequence(first.update(options), parts.dropFirst().map { $0.update(options) }),
            entry: LegacyEntry(orButtonless: isAdafruit), over: LegacyService.uuid)
    }
}

extension LegacyPackage {
    /// Whether all parts are for Adafruit's bootloader, which may be behind an application with Secure DFU's
    /// buttonless service.
    private var isAdafruit: Bool {
        parts.allSatisfy { $0.initPacket?.deviceType == AdafruitHardware.deviceType }
    }
}

extension LegacyPart {
    fileprivate func update(_ options: UpdateOptions) -> PartSequence.Part {
        (
            role.title,
            LegacyProcedure(
                LegacyImage(self), receiptInterval: options[NordicOptions.self].receiptInterval,
                versionText: options.versionText, allowing: options.risks)
        )
    }

    /// The version in the init packet; nil for FFFFFFFF, which means none.
    fileprivate var version: FirmwareVersion? {
        guard let version = initPacket?.applicationVersion, version != .max else { return nil }
        return FirmwareVersion("\(version)", at: Finding.Place(entry: datFile, field: "application_version"))
    }
}

extension FirmwareKind {
    static let nordicSecure = FirmwareKind(rawValue: "nordic-secure")
    /// A package of Nordic's Legacy DFU, with or without a manifest.
    package static let nordicLegacy = FirmwareKind(rawValue: "nordic-legacy")
    /// The buttonless service of an application that starts a bootloader; there is no file format of its own.
    static let nordicButtonless = FirmwareKind(rawValue: "nordic-buttonless")
}

extension UpdateFailure {
    static let nothingToSend = UpdateFailure(
        .nordicRefusal.packageEmpty, during: "preparing", message: "there is nothing to send")
}

extension [Finding] {
    /// The most entry names to list.
    private static let listed = 5

    /// Adds what blocks a release of a Nordic package, Secure or Legacy, beyond what bootloaders refuse.
    func forRelease(
        signatures: [Finding.Place], _ key: NordicPublicKey?, ignoring entries: [String]
    ) -> [Finding] {
        var all = self
        if key == nil {
            all += signatures.map {
                Finding(.nordicFinding.keyNotGiven, .error, $0, "was not compared with a key")
            }
        }
        guard !entries.isEmpty else { return all }
        let shown = entries.prefix(Self.listed).joined(separator: ", ")
        let more = entries.count > Self.listed ? " and \(entries.count - Self.listed) more" : ""
        return all + [
            Finding(.nordicFinding.strayEntries, .error, "the manifest does not name \(shown)\(more)")
        ]
    }
}
