public import FirmwareModel
public import UpdateCore

extension SUOTAPreferences: VendorOptions {}

extension SUOTAImage: VendorFile {
    /// What it is.
    public var kind: FirmwareKind { .suota }
    /// How names of such files end.
    public var usualExtension: String { ".img" }
    /// The options that mean something for it.
    public var optionTypes: [any VendorOptions.Type] { [SUOTAPreferences.self] }
    /// The risks that can be taken with it.
    public var risks: Set<Risk> { [.sameVersion, .wrongFamily, .runningBank] }

    /// The family of its header, as catalogues have it.
    public var hardware: String? { header.family.rawValue }

    /// It in a few words.
    public var summary: PackageSummary {
        PackageSummary([
            PackageSummary.Part(
                header.family.chips, bytes: bytes.count,
                version: FirmwareVersion(
                    header.version.text, isText: header.version.isText,
                    at: Finding.Place(offset: header.family.versionOffset, field: "version")),
                remarks: header.isEncrypted ? ["encrypted"] : [])
        ])
    }

    /// When it was built.
    public var built: BuildMoment? {
        BuildMoment(
            header.timestamp, at: Finding.Place(offset: header.family.timestampOffset, field: "timestamp"),
            ordersReleases: true)
    }

    /// What a DA1458x receiver compares: 16 version bytes and the timestamp (suota-image.md, Checks). Other families do
    /// not compare.
    public var identity: ReleaseIdentity? {
        guard header.family == .da1458x else { return nil }
        let stamp = (0..<4).map { UInt8(truncatingIfNeeded: header.timestamp >> ($0 * 8)) }
        return ReleaseIdentity(
            compared: header.version.bytes + stamp, field: "version and timestamp", program: header.crc)
    }

    /// What devices or people may object to.
    public func findings(_ options: UpdateOptions) -> [Finding] { findings() }

    /// The vendor's layouts say nothing about a device whose bank is known.
    public func releaseFindings(_ options: UpdateOptions, for device: TargetDevice?) -> [Finding] {
        let layouts: Set = ["image-exceeds-flash", "image-exceeds-small-flash", "image-fills-bank"]
        return findings().filter { device?["bank"] == nil || !layouts.contains($0.id) }
    }

    /// What of a model is otherwise than the file has it.
    public func mismatch(with model: DeviceModel) -> Finding? {
        guard let wanted = model.facts["header"], wanted != header.family.rawValue else { return nil }
        return Finding(
            "catalogue-mismatch", .error, offset: 0, field: "signature",
            "is that of \(header.family.rawValue), and \(model.name) has \(wanted)")
    }

    /// What a device would answer to it.
    public func answers(of device: TargetDevice, _ options: UpdateOptions) -> [Answer] {
        SUOTAJudge(target: device).answers(to: self)
    }

    /// What installs it.
    public func plan(_ options: UpdateOptions) throws(PlanRefusal) -> UpdatePlan {
        if let error = findings().firstError { throw .file(error) }
        var preferences = options[SUOTAPreferences.self]
        preferences.versionText = options.versionText
        preferences.risks = options.risks
        let procedure = SUOTAProcedure(self, preferences)
        do throws(UpdateFailure) { try procedure.check() } catch { throw .options(error) }
        return UpdatePlan(
            procedure, entry: nil, over: SUOTAService.uuid,
            advice: header.family == .da1458x ? Self.pinAdvice(preferences) : [])
    }

    /// A device does not say where its memory is, and takes the word of whoever sends.
    private static func pinAdvice(_ preferences: SUOTAPreferences) -> [Finding] {
        guard !preferences.namesPins else { return [] }
        return [
            Finding(
                "default-pins", .warning,
                "no pins were given: the device is told that its memory is at "
                    + "\(PinMap.vendorSPI), as on the chip maker's own boards; a product that is wired otherwise refuses "
                    + "with wrong-pins")
        ]
    }
}
