import ByteCoding
import NordicDFU
import UpdateCore

extension FlashJob {
    /// A package of Secure DFU: one part, or a system part and the application that runs on it.
    init(_ package: NordicPackage, key: NordicPublicKey?, path: String) throws(CommandFailure) {
        do throws(PackageError) { try package.checkBeforeFlashing(key: key) } catch {
            throw CommandFailure(error, in: path)
        }
        guard let last = package.parts.last else {
            throw CommandFailure(
                "package-empty", during: "reading the package", message: "\(path) has no parts")
        }
        let parts = package.parts
        self.init(
            path: path, kind: "nordic-secure", bytes: package.imageBytes,
            version: last.initPacket.firmwareVersion.map(String.init),
            summary: "\(path): " + parts.map(\.summary).joined(separator: "; then "),
            warnings: package.findings(key: key).filter { $0.level == .warning }, service: SecureService.uuid,
            procedure: { wishes in
                let all = parts.map { part in
                    (
                        title: part.role.title,
                        procedure: SecureProcedure(
                            part.secureImage, receiptInterval: wishes.receiptInterval,
                            versionText: wishes.versionText)
                            as any UpdateProcedure
                    )
                }
                return all.count == 1 ? all[0].procedure : PartSequence(all[0], Array(all.dropFirst()))
            },
            entry: { ButtonlessEntry(name: Self.nameForBootloader()) })
    }

    /// A name that nobody else near has, in all likelihood.
    private static func nameForBootloader() -> String {
        "Dfu" + String(100_000 + Int.random(in: 0..<100_000)).dropFirst()
    }
}

extension NordicPart {
    /// As the procedure sends it.
    fileprivate var secureImage: SecureImage {
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
