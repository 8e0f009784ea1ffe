package import UpdateModel

extension NordicPackage: VendorFile {
    package var kind: FirmwareKind { .nordicSecure }
    package var usualExtension: String { ".zip" }
    package var optionTypes: [any VendorOptions.Type] { [NordicOptions.self] }
    /// The risks that a user may accept with it.
    package var risks: Set<Risk> { [.sameVersion, .lowerVersion, .wrongFamily] }

    package var hardware: String? {
        let numbers = Set(parts.compactMap(\.initPacket.hardwareVersion)).sorted()
        return numbers.isEmpty ? nil : numbers.map { "\($0)" }.joined(separator: ", ")
    }

    package var summary: PackageSummary {
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

    /// Everything that bootloaders refuse, or that people should know.
    package func findings(_ options: UpdateOptions) -> [Finding] {
        findings(key: options[NordicOptions.self].key)
    }

    package func releaseFindings(_ options: UpdateOptions, for device: TargetDevice?) -> [Finding] {
        let signed = parts.filter(\.initPacket.isSigned)
        return findings(options).forRelease(
            signatures: signed.map { Finding.Place(entry: $0.datFile, field: "SignedCommand.signature") },
            options[NordicOptions.self].key, ignoring: ignoredEntries)
    }

    /// The difference between the file and the model in the catalogue, if any.
    package func mismatch(with model: DeviceModel) -> Finding? {
        guard let wanted = model.facts.number("hardware"),
            let part = parts.first(where: { $0.initPacket.hardwareVersion != wanted })
        else { return nil }
        let has = part.initPacket.hardwareVersion.map(String.init) ?? "none"
        return Finding(
            .finding.catalogueMismatch, .error,
            Finding.Place(entry: part.datFile, field: "InitCommand.hw_version"),
            "is \(has), but \(model.name) has \(wanted)")
    }

    package func answers(of device: TargetDevice, _ options: UpdateOptions) -> [Answer] {
        NordicTargetCheck(target: NordicTarget(device), key: options[NordicOptions.self].key).answers(
            to: self)
    }

    package func plan(_ options: UpdateOptions) throws(PlanRefusal) -> UpdatePlan {
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

    /// The part in the form that the procedure sends.
    private var secureImage: SecureImage {
        SecureImage(
            initPacket: initPacket.bytes, bytes: image, role: role, isSigned: initPacket.isSigned,
            firmwareVersion: initPacket.firmwareVersion, hardwareVersion: initPacket.hardwareVersion,
            softDevices: initPacket.softDeviceRequirements)
    }
}

extension FirmwareRole {
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
    /// A package without parts.
    static let nothingToSend = Finding(.nordicRefusal.packageEmpty, .error, "there is nothing to send")
}

/// Options for Nordic's bootloaders and packages.
package struct NordicOptions: VendorOptions {
    /// Initial packets per receipt; nil lets the procedure choose.
    package var receiptInterval: Int?
    /// The public key in the bootloader; nil if it is not known.
    package var key: NordicPublicKey?

    /// The default options.
    package init() {}

    /// Only the packets per receipt.
    package static let options: [VendorOption] = [.receiptInterval]

    /// Adopts the packets per receipt.
    package mutating func adopt(_ values: OptionValues, from file: [UInt8]?) {
        receiptInterval = values.number(.receiptInterval)
    }
}

extension VendorOption {
    static let receiptInterval = VendorOption(
        "prn", title: "receipt interval", .number(UInt16.self), "packets",
        help: "Initial packets per receipt; 0 for none. Default: by MTU; 8 for Legacy DFU.", in: [.catalogue])
}
