import BeaconIdentity
import BluetoothTypes
import Catalogue
import Glibc
import Radio
import Spelling
import Tray
import UpdateCore
import YAMLText

/// The tray of a run as the user gives it: a file, or conditions and what the units get that meet them.
struct TraySource: Sendable {
    /// The path that runs of the tray are known by; nil where there is no file.
    var place: String?
    /// Its slots; none where conditions say which beacons are meant.
    var slots: [TraySlot] = []
    /// What beacons have to be that are meant without slots.
    var means: (@Sendable (BeaconSighting) -> Bool)?
    /// How many units there should be.
    var expected: Int?
    /// The firmware of slots that have none of their own.
    var firmware: TrayFirmware?
    /// Where the memory of units is that say nothing of their own.
    var memory: TrayMemory?
    /// Paths of files of settings.
    var settings: [String] = []
    var limits = TrayLimits()
    var order = TrayOrder.listed
    var station: String?
    var operatorName: String?
    var orderNumber: String?
    /// Whether an order has taken the place of what the tray says that the units get.
    private(set) var isOverruled = false
    private var folder = ""

    /// What the tray file at `path` says; with `isOrdered` an order may say what the units get.
    init(path: String, isOrdered: Bool = false) throws(CommandFailure) {
        let text = try FirmwareFile(path: path)
        if case .firmware(let package)? = try? text.recognised() {
            throw CommandFailure(
                "tray-invalid", during: "reading the tray",
                message: "\(path) is a package of kind \(package.kind), not a tray file",
                nextStep: "say with --rule which beacons get it, as --rule 'name=Lamp*', or name a tray file")
        }
        let file: TrayFile
        do throws(YAMLProblem) { file = try TrayFile(parsing: text.bytes, isOrdered: isOrdered) } catch {
            throw CommandFailure("tray-invalid", during: "reading the tray", error, in: path)
        }
        switch file.units {
        case .slots(let slots):
            self.slots = slots
            expected = slots.count
        case .rule(let rule):
            means = { rule.means($0) }
            expected = rule.expected
        }
        (firmware, limits, order) = (file.firmware, file.limits, file.order)
        memory = file.memory
        (station, operatorName, orderNumber) = (file.station, file.operatorName, file.orderNumber)
        place = Self.whole(path)
        folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        settings = file.settings.map(beside)
    }

    /// Has every unit get `ordered`.
    mutating func takeOrder(_ ordered: TrayFirmware) {
        isOverruled = place != nil && (firmware != nil || slots.contains { $0.firmware != nil })
        firmware = ordered
        slots = slots.map { $0.withoutFirmware }
    }

    /// All beacons that pass `conditions`, which get `firmware`.
    init(_ conditions: [SightingFilter], getting firmware: TrayFirmware, expecting expected: Int?) {
        means = { beacon in conditions.allSatisfy { $0.passes(beacon) } }
        self.firmware = firmware
        self.expected = expected
    }

    /// Where the firmware of the slots comes from. Relative paths begin at the tray's folder.
    func sources(
        leavingBattery: Bool, signedBy key: String?
    ) throws(CommandFailure) -> (common: UnitSource?, bySlot: [String: UnitSource], seals: [VerifiedSeal]) {
        var folders: [String: CatalogueFolder] = [:]
        var seals: [VerifiedSeal] = []
        var bySlot: [String: UnitSource] = [:]
        for slot in slots {
            guard let own = slot.firmware ?? firmware else { continue }
            bySlot[slot.label] = try source(own, leavingBattery, key, &folders, &seals)
        }
        let common = try firmware.map { (own) throws(CommandFailure) in
            try source(own, leavingBattery, key, &folders, &seals)
        }
        return (common, bySlot, seals)
    }

    private func source(
        _ firmware: TrayFirmware, _ leavingBattery: Bool, _ key: String?,
        _ folders: inout [String: CatalogueFolder], _ seals: inout [VerifiedSeal]
    ) throws(CommandFailure) -> UnitSource {
        switch firmware {
        case .file(let path): return .file(beside(path))
        case .catalogue(let name, let channel):
            let path = beside(name)
            let folder: CatalogueFolder
            if let known = folders[path] {
                folder = known
            } else {
                folder = try CatalogueFolder(path: path)
                if let key, let seal = try folder.checkSeal(by: key) { seals.append(seal) }
                folders[path] = folder
            }
            return .catalogue(
                ReleaseSearch(
                    catalogue: folder.catalogue,
                    channels: channel == .beta ? [.release, .beta] : [.release],
                    leavesBattery: leavingBattery))
        }
    }

    /// A path of the tray file, as the system takes it.
    func beside(_ path: String) -> String { path.hasPrefix("/") ? path : folder + path }

    /// The same firmware by paths that mean the same from everywhere.
    func rooted(_ firmware: TrayFirmware) -> TrayFirmware {
        switch firmware {
        case .file(let path): .file(Self.whole(beside(path)))
        case .catalogue(let folder, let channel):
            .catalogue(folder: Self.whole(beside(folder)), channel: channel)
        }
    }

    /// The path from the root, without links.
    private static func whole(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }
}

extension TrayRule {
    /// Whether all of it holds for `beacon`.
    func means(_ beacon: BeaconSighting) -> Bool {
        (vendor == nil || beacon.vendor == vendor)
            && fits(model, beacon.identity.model) && fits(name, beacon.data.name)
            && (rssiAbove.map { (beacon.rssi.map { Int($0) } ?? -128) > $0 } ?? true)
    }

    private func fits(_ pattern: String?, _ text: String?) -> Bool {
        pattern.map { pattern in text.map { Glob(pattern).matches($0) } ?? false } ?? true
    }
}
