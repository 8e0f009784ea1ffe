import Bluetooth
import Bytes
import CommandKit
import Firmware
import Glibc
import Tray
import UpdateModel

/// The tray of a run as the user gives it: a file, or conditions and the firmware for matching units.
package struct TraySource: Sendable {
    /// What identifies runs of the tray: the absolute path of its file, or else `order:NUMBER`; nil without a file or an
    /// order.
    var place: String?
    /// The slots of the tray. If conditions select the beacons, the scan before the run sets them.
    var slots: [TraySlot] = []
    /// The condition that selects beacons; nil if slots do.
    var condition: (@Sendable (BeaconSighting) -> Bool)?
    var selectsBySlots: Bool { condition == nil }
    /// The expected number of units; nil if none was given.
    var expected: Int?
    /// The firmware of slots that have none of their own.
    var firmware: TrayFirmware?
    /// The description of units whose slot has none.
    var description: UnitDescription?
    var settings: [String] = []
    var limits = TrayLimits()
    var order = TrayOrder.listed
    var station, operatorName, orderNumber: String?
    /// Whether an order replaces the firmware that the tray names.
    private(set) var isOverruled = false
    private var folder = ""

    /// Reads the tray file at `path`; with `isOrdered` it may leave the firmware to an order.
    init(path: String, isOrdered: Bool = false) throws(CommandFailure) {
        let text = try FileContent(path: path)
        if case .firmware(let package)? = try? text.recognised() {
            throw CommandFailure(
                .tray.trayInvalid, during: "reading the tray",
                message: "\(path) is a package of kind \(package.kind), not a tray file",
                nextStep:
                    "select the beacons with --rule, for example --rule 'name=Lamp*', or give a tray file")
        }
        let file: TrayFile
        do throws(YAMLProblem) { file = try TrayFile(parsing: text.bytes, isOrdered: isOrdered) } catch {
            throw CommandFailure(.tray.trayInvalid, during: "reading the tray", error, in: path)
        }
        switch file.units {
        case .slots(let slots):
            self.slots = slots
            expected = slots.count
        case .rule(let rule):
            condition = { rule.matches($0) }
            expected = rule.expected
        }
        (firmware, limits, order) = (file.firmware, file.limits, file.order)
        description = file.description
        (station, operatorName, orderNumber) = (file.station, file.operatorName, file.orderNumber)
        place = Self.absolute(path)
        folder = path.folderPrefix
        settings = file.settings.map(resolved)
    }

    /// Sets the firmware of every unit to `ordered`.
    mutating func applyOrder(_ ordered: TrayFirmware) {
        isOverruled = place != nil && (firmware != nil || slots.contains { $0.firmware != nil })
        firmware = ordered
        slots = slots.map { $0.withoutFirmware }
    }

    /// A tray of all beacons that match `conditions`, with `firmware` for them.
    init(_ conditions: [SightingFilter], getting firmware: TrayFirmware, expecting expected: Int?) {
        condition = { beacon in conditions.allSatisfy { $0.passes(beacon) } }
        (self.firmware, self.expected) = (firmware, expected)
    }

    /// The sources of the slots' firmware. Relative paths start at the tray's folder.
    func sources(
        leavingBattery: Bool, signedBy key: String?
    ) throws(CommandFailure) -> (common: UnitSource?, bySlot: [String: UnitSource], seals: [VerifiedSeal]) {
        var folders: [String: CatalogueFolder] = [:]
        var seals: [VerifiedSeal] = []
        func source(_ firmware: TrayFirmware) throws(CommandFailure) -> UnitSource {
            switch firmware {
            case .file(let path): return .file(resolved(path))
            case .catalogue(let name, let channel, let release):
                let path = resolved(name)
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
                        hasOwnBatteryLimit: leavingBattery, naming: release))
            }
        }
        var bySlot: [String: UnitSource] = [:]
        for slot in slots {
            guard let own = slot.firmware ?? firmware else { continue }
            bySlot[slot.label] = try source(own)
        }
        let common = try firmware.map(source)
        return (common, bySlot, seals)
    }

    /// A path in the tray file, resolved against the file's folder.
    func resolved(_ path: String) -> String { path.hasPrefix("/") ? path : folder + path }

    func withAbsolutePaths(_ firmware: TrayFirmware) -> TrayFirmware {
        switch firmware {
        case .file(let path): .file(Self.absolute(resolved(path)))
        case .catalogue(let folder, let channel, let release):
            .catalogue(folder: Self.absolute(resolved(folder)), channel: channel, release: release)
        }
    }

    /// The absolute path, with symbolic links resolved.
    private static func absolute(_ path: String) -> String { FileBytes.realPath(of: path) ?? path }
}

extension TrayRule {
    func matches(_ beacon: BeaconSighting) -> Bool {
        (vendor == nil || beacon.vendor == vendor)
            && fits(model, beacon.identity.model) && fits(name, beacon.data.name)
            && (rssiAbove.map { (beacon.rssi.map { Int($0) } ?? -128) > $0 } ?? true)
    }

    private func fits(_ pattern: String?, _ text: String?) -> Bool {
        pattern.map { pattern in text.map { Glob(pattern).matches($0) } ?? false } ?? true
    }
}
