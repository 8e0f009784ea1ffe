public import UpdateModel

extension SUOTAPreferences: VendorOptions {}

extension SUOTAImage: VendorFile {
    /// Dialog SUOTA.
    public var kind: FirmwareKind { .suota }
    /// The usual file extension.
    public var usualExtension: String { ".img" }
    /// The options that apply to it.
    public var optionTypes: [any VendorOptions.Type] { [SUOTAPreferences.self] }
    /// The risks that a user may accept with it.
    public var risks: Set<Risk> { [.sameVersion, .wrongFamily, .runningBank] }

    /// The family of its header, as in catalogues.
    public var hardware: String? { header.family.rawValue }

    /// A summary in a few words.
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

    /// The build time.
    public var built: BuildMoment? {
        BuildMoment(
            header.timestamp, at: Finding.Place(offset: header.family.timestampOffset, field: "timestamp"),
            ordersReleases: true)
    }

    /// The bytes that a DA1458x receiver compares: 16 version bytes and the timestamp (suota-image.md, Checks). Other
    /// families do not compare.
    public var identity: ReleaseIdentity? {
        guard header.family == .da1458x else { return nil }
        let stamp = (0..<4).map { UInt8(truncatingIfNeeded: header.timestamp >> ($0 * 8)) }
        return ReleaseIdentity(
            compared: header.version.bytes + stamp, field: "version and timestamp", program: header.crc)
    }

    /// Everything that devices refuse, or that people should know.
    public func findings(_ options: UpdateOptions) -> [Finding] { findings() }

    /// The findings about the vendor's layouts do not apply if the device's bank is known.
    public func releaseFindings(_ options: UpdateOptions, for device: TargetDevice?) -> [Finding] {
        let layouts: Set = ["image-exceeds-flash", "image-exceeds-small-flash", "image-fills-bank"]
        return findings().filter { device?["bank"] == nil || !layouts.contains($0.id) }
    }

    /// The difference between the file and the model in the catalogue, if any.
    public func mismatch(with model: DeviceModel) -> Finding? {
        guard let wanted = model.facts["header"], wanted != header.family.rawValue else { return nil }
        return Finding(
            "catalogue-mismatch", .error, offset: 0, field: "signature",
            "is that of \(header.family.rawValue), but \(model.name) has \(wanted)")
    }

    /// The predicted responses of a device.
    public func answers(of device: TargetDevice, _ options: UpdateOptions) -> [Answer] {
        SUOTATargetCheck(target: device).answers(to: self)
    }

    /// The plan that installs it.
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

    /// A device does not report the pins of its memory, and uses those that it is sent.
    private static func pinAdvice(_ preferences: SUOTAPreferences) -> [Finding] {
        guard !preferences.namesPins else { return [] }
        return [
            Finding(
                "default-pins", .warning,
                "no pins were given: using "
                    + "\(PinMap.vendorSPI), the wiring of the chip maker's own boards; a product with "
                    + "other wiring refuses "
                    + "with wrong-pins")
        ]
    }
}
