import BeaconIdentity
import BluetoothTypes
import ByteCoding
import DialogSUOTA
import Digests
import FBeacon
import NordicDFU
import Radio
import UpdateCore
import Vendors

/// A firmware file that has passed every check that needs no radio.
struct FlashJob: Sendable {
    /// What the user wants to be different.
    struct Wishes: Sendable {
        /// Packets per receipt to begin with; nil leaves it to the procedure.
        var receiptInterval: Int?
        /// What the new application has to call itself; nil goes by what the package says.
        var versionText: String?
        /// What is done whatever the running application says.
        var risks: AcceptedRisks = []
        /// How an image for SUOTA is sent.
        var suota = SUOTAWishes()
    }

    /// A finding that stops nothing.
    struct Warning: Sendable {
        let id: String
        let text: String
    }

    let path: String
    /// As `started` names it.
    let kind: String
    /// All parts as they are sent.
    let bytes: Int
    /// What will be installed, in the package's words; nil when it does not say.
    let version: String?
    /// The package in a line.
    let summary: String
    let warnings: [Warning]
    /// The service that devices for such packages advertise while they take them.
    let service: BluetoothUUID
    /// What the parts are, in the order in which they are sent.
    var parts: [String] = []
    /// Whether an application is installed in the end.
    var hasApplication = true
    /// What is to be known of how the file will be sent.
    var advice: @Sendable (Wishes) -> [Warning] = { _ in [] }
    /// Refuses what is refused without the device.
    var check: @Sendable (Wishes) throws(UpdateFailure) -> Void = { _ in }
    /// The conversation that installs it.
    let procedure: @Sendable (Wishes) -> any UpdateProcedure
    /// How the application is sent to its bootloader; nil where it takes updates itself.
    let entry: @Sendable () -> (any BootloaderEntry)?

    /// Refuses what no bootloader would take, and what this version cannot install.
    static func reading(path: String, publicKey: NordicPublicKey?) throws(CommandFailure) -> FlashJob {
        let file = try FirmwareFile(path: path)
        switch try file.recognised() {
        case .nordicSecure(let package): return try FlashJob(package, key: publicKey, path: path)
        case .nordicLegacy(let package): return try FlashJob(package, key: publicKey, path: path)
        case .suota(let image): return try FlashJob(image, path: path)
        case .fbeacon(let content): throw notSent("fbeacon", content.findings(), because: content.hint, path)
        case .unsupported(let foreign): throw unsupported(foreign, path)
        }
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

    /// Refuses a beacon that takes updates of another kind than the file's, where it says which.
    func checkKind(of beacon: BeaconSighting) throws(CommandFailure) {
        let services = [
            (SecureService.uuid, "a bootloader for nordic-secure"),
            (LegacyService.uuid, "a bootloader for nordic-legacy"),
            (SUOTAService.uuid, "a device for suota"),
        ].filter { beacon.data.services.contains($0.0) }
        guard let other = services.first, !services.contains(where: { $0.0 == service }) else { return }
        throw CommandFailure(
            "wrong-device", during: "looking for the device",
            message: "\(beacon.address) is \(other.1), and \(path) is of kind \(kind)",
            nextStep:
                "get the file for this beacon: `beacon-dfu info` shows which kind it takes, `inspect` a file's kind"
        )
    }

    func startedLine(of beacon: BeaconSighting) -> JSONLine {
        JSONLine(
            "started",
            [
                "file": .text(path), "kind": .text(kind), "device": .text(beacon.address.description),
                "bytes": .integer(bytes), "version_from": .optional(beacon.state.version),
                "version_to": .optional(version),
            ].merging(beacon.state.batteryMembers) { $1 }
                .merging(firstPart?.members ?? [:]) { $1 })
    }

    /// What comes up in the end.
    var awaited: Awaited { Awaited(hasApplication: hasApplication) }

    /// The part that is sent first; nil where it is the only one.
    var firstPart: UpdatePart? {
        parts.count > 1 ? UpdatePart(number: 1, of: parts.count, title: parts[0]) : nil
    }
}
