import ByteCoding
import NordicDFU
import UpdateCore

extension FlashJob {
    /// A package of Secure DFU: one part, or a system part and the application that runs on it.
    init(_ package: NordicPackage, key: NordicPublicKey?, path: String) throws(CommandFailure) {
        do throws(PackageError) { try package.checkBeforeFlashing(key: key) } catch {
            throw CommandFailure(error, in: path)
        }
        let parts = package.parts
        guard let first = parts.first, let last = parts.last else {
            throw CommandFailure(
                "package-empty", during: "reading the package", message: "\(path) has no parts")
        }
        self.init(
            path: path, kind: "nordic-secure", bytes: package.imageBytes,
            version: last.initPacket.firmwareVersion.map(String.init),
            summary: "\(path): " + parts.map(\.summary).joined(separator: "; then "),
            warnings: package.findings(key: key).filter { $0.level == .warning }
                .map { Warning(id: $0.id, text: $0.description) }, service: SecureService.uuid,
            parts: parts.map(\.role.title), hasApplication: last.role == .application,
            procedure: { wishes in
                PartSequence(first.update(wishes), parts.dropFirst().map { $0.update(wishes) })
            },
            entry: { ButtonlessEntry(name: BootloaderName.random()) })
    }
}

extension NordicPart {
    fileprivate func update(_ wishes: FlashJob.Wishes) -> PartSequence.Part {
        (
            role.title,
            SecureProcedure(
                secureImage, receiptInterval: wishes.receiptInterval, versionText: wishes.versionText,
                allowing: wishes.risks)
        )
    }

    /// As the procedure sends it.
    private var secureImage: SecureImage {
        SecureImage(
            initPacket: initPacket.bytes, bytes: image, role: role, isSigned: initPacket.isSigned,
            firmwareVersion: initPacket.firmwareVersion, hardwareVersion: initPacket.hardwareVersion,
            softDevices: initPacket.softDeviceRequirements)
    }

    fileprivate var summary: String {
        "\(role.title), \(Quantities.bytes(image.count)), version "
            + (initPacket.firmwareVersion.map(String.init) ?? "unknown")
            + (initPacket.isSigned ? ", signed" : ", not signed")
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
