public import FirmwareModel
public import UpdateCore

extension NordicPackage: VendorFile {
    /// What it is.
    public var kind: FirmwareKind { .nordicSecure }
    /// How names of such files end.
    public var usualExtension: String { ".zip" }
    /// The options that mean something for it.
    public var optionTypes: [any VendorOptions.Type] { [NordicOptions.self] }
    /// The risks that can be taken with it.
    public var risks: Set<Risk> { [.sameVersion, .lowerVersion, .wrongFamily] }

    /// The `hw_version` of its parts.
    public var hardware: String? {
        let numbers = Set(parts.compactMap(\.initPacket.hardwareVersion)).sorted()
        return numbers.isEmpty ? nil : numbers.map { "\($0)" }.joined(separator: ", ")
    }

    /// It in a few words.
    public var summary: PackageSummary {
        PackageSummary(
            parts.map { part in
                PackageSummary.Part(
                    part.role.title, bytes: part.image.count,
                    version: part.initPacket.firmwareVersion.map {
                        FirmwareVersion(
                            "\($0)", at: Finding.Place(entry: part.datFile, field: "InitCommand.fw_version"))
                    },
                    remarks: [part.initPacket.isSigned ? "signed" : "not signed"],
                    isApplication: part.role == .application)
            })
    }

    /// What devices and people will mind.
    public func findings(_ options: UpdateOptions) -> [Finding] {
        findings(key: options[NordicOptions.self].key)
    }

    /// What a release should wait for.
    public func releaseFindings(_ options: UpdateOptions, for device: TargetDevice?) -> [Finding] {
        ReleaseFindings(package: self, key: options[NordicOptions.self].key).all
    }

    /// What of a model is otherwise than the file has it.
    public func mismatch(with model: DeviceModel) -> Finding? {
        guard let wanted = model.facts.number("hardware"),
            let part = parts.first(where: { $0.initPacket.hardwareVersion != wanted })
        else { return nil }
        let has = part.initPacket.hardwareVersion.map(String.init) ?? "none"
        return Finding(
            "catalogue-mismatch", .error, Finding.Place(entry: part.datFile, field: "InitCommand.hw_version"),
            "is \(has), and \(model.name) has \(wanted)")
    }

    /// What a device would answer to it.
    public func answers(of device: TargetDevice, _ options: UpdateOptions) -> [Answer] {
        NordicJudge(target: NordicTarget(device), key: options[NordicOptions.self].key).answers(to: self)
    }

    /// What installs it.
    public func plan(_ options: UpdateOptions) throws(PlanRefusal) -> UpdatePlan {
        if let error = findings(options).firstError { throw .file(error) }
        guard let first = parts.first else { throw .file(.nothingToSend) }
        return UpdatePlan(
            PartSequence(first.update(options), parts.dropFirst().map { $0.update(options) }),
            entry: ButtonlessEntry(name: BootloaderName.random()), over: SecureService.uuid)
    }
}

extension NordicPart {
    fileprivate func update(_ options: UpdateOptions) -> PartSequence.Part {
        (
            role.title,
            SecureProcedure(
                secureImage, receiptInterval: options[NordicOptions.self].receiptInterval,
                versionText: options.versionText, allowing: options.risks)
        )
    }

    /// As the procedure sends it.
    private var secureImage: SecureImage {
        SecureImage(
            initPacket: initPacket.bytes, bytes: image, role: role, isSigned: initPacket.isSigned,
            firmwareVersion: initPacket.firmwareVersion, hardwareVersion: initPacket.hardwareVersion,
            softDevices: initPacket.softDeviceRequirements)
    }
}

extension FirmwareRole {
    /// What it is, in sentences.
    var title: String {
        switch self {
        case .application: "application"
        case .bootloader: "bootloader"
        case .softdevice: "SoftDevice"
        case .softdeviceBootloader: "SoftDevice and bootloader"
        }
    }
}

extension Finding {
    /// A package that has no parts.
    static let nothingToSend = Finding("package-empty", .error, "there is nothing to send")
}
