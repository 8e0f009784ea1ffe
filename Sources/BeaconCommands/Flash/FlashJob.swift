import BluetoothTypes
import ByteCoding
import DialogSUOTA
import Digests
import FBeacon
import NordicDFU
import UpdateCore
import Vendors

/// A firmware file that has passed every check that needs no radio.
struct FlashJob: Sendable {
    let path: String
    let kind: String
    let part: NordicPart
    let warnings: [PackageFinding]

    /// Refuses what no bootloader would take, and what this version cannot install.
    init(path: String, publicKey: NordicPublicKey?) throws(CommandFailure) {
        let file = try FirmwareFile(path: path)
        let package: NordicPackage
        switch try file.recognised() {
        case .nordicSecure(let recognised): package = recognised
        case .nordicLegacy(let legacy): throw Self.notSent(legacy, key: publicKey, path)
        case .suota(let image): throw Self.notSent("suota", image.findings(), path)
        case .fbeacon(let content):
            throw Self.notSent("fbeacon", content.findings(), because: content.hint, path)
        case .unsupported(let foreign): throw Self.unsupported(foreign, path)
        }
        do throws(PackageError) { try package.checkBeforeFlashing(key: publicKey) } catch {
            throw CommandFailure(error, in: path)
        }
        guard package.parts.count == 1, let part = package.parts.first, !part.role.isSystem else {
            let roles = package.parts.map(\.role.rawValue).joined(separator: " and ")
            throw CommandFailure(
                "multi-part-package", during: "reading the package",
                message: "\(path) holds \(roles); this version installs a single application")
        }
        self.path = path
        kind = "nordic-secure"
        self.part = part
        warnings = package.findings(key: publicKey).filter { $0.level == .warning }
    }

    /// A kind that is read but not sent yet; what is wrong with the file is said first.
    private static func notSent(
        _ kind: String, _ findings: [ByteFinding], because hint: String? = nil, _ path: String
    ) -> CommandFailure {
        if let error = findings.firstError { return CommandFailure(error, in: path) }
        return CommandFailure(
            "unsupported-kind", during: "reading the package",
            message: "\(path) is of kind \(kind): "
                + (hint ?? "this version reads such files, but does not send them yet"))
    }

    private static func notSent(
        _ package: LegacyPackage, key: NordicPublicKey?, _ path: String
    ) -> CommandFailure {
        do throws(PackageError) { try package.checkBeforeFlashing(key: key) } catch {
            return CommandFailure(error, in: path)
        }
        return notSent(
            "nordic-legacy", [],
            because:
                "this version reads Legacy DFU packages, but does not send them yet; nRF Connect for Mobile does",
            path)
    }

    private static func unsupported(_ foreign: UnsupportedFile, _ path: String) -> CommandFailure {
        let code =
            switch foreign.kind {
            case .mcuboot: "mcuboot-package"
            case .zip: "manifest-missing"
            default: "unsupported-file"
            }
        return CommandFailure(
            code, during: "reading the package",
            message: "\(path) is \(foreign.kind.rawValue): \(foreign.hint)")
    }

    var bytes: Int { part.image.count }
    var version: String? { part.initPacket.firmwareVersion.map(String.init) }

    /// The conversation that installs it.
    func procedure(receiptInterval: Int?) -> SecureProcedure {
        let packet = part.initPacket
        return SecureProcedure(
            SecureImage(
                initPacket: packet.bytes, bytes: part.image, isSigned: packet.isSigned,
                firmwareVersion: packet.firmwareVersion, hardwareVersion: packet.hardwareVersion,
                softDevices: packet.softDeviceRequirements),
            receiptInterval: receiptInterval)
    }

    /// How the application is sent to its bootloader, which gets a name of its own for this run.
    static func entry() -> ButtonlessEntry {
        let digits = String(100_000 + Int.random(in: 0..<100_000)).dropFirst()
        return ButtonlessEntry(name: "Dfu" + digits)
    }

    func startedLine(device: DeviceAddress) -> JSONLine {
        JSONLine(
            "started",
            [
                "file": .text(path), "kind": .text(kind), "device": .text(device.description),
                "bytes": .integer(bytes), "version_from": .null, "version_to": .optional(version),
            ])
    }

    var summary: String {
        "\(path): application, \(Quantities.bytes(bytes)), version \(version ?? "unknown"), "
            + (part.initPacket.isSigned ? "signed" : "not signed")
    }
}
