public import Bluetooth
import Bytes
import Glibc
import Logging

/// The state of a controller before this program changed it. It is kept in a small file until it is restored,
/// so that after a kill the next run and `doctor` can report what was left.
struct ControllerRecord: Equatable, Sendable {
    var settings: ControllerSettings
    /// The PHYs that were selected; nil if the selection was not changed.
    var phys: PHYSelection?
    /// Whether the controller was given another address, which requires BR/EDR to be off.
    var isMoved = false
    /// Whether the controller was switched off to be used exclusively.
    var isExclusive = false

    /// `settings phys`, eight hexadecimal digits or `-` each, followed by `moved` if `isMoved`, or `exclusive`.
    var text: String {
        HexText.digits(settings.rawValue) + " " + (phys.map { HexText.digits($0.rawValue) } ?? "-")
            + (isMoved ? " moved" : isExclusive ? " exclusive" : "")
    }

    /// What differs from the record now, in words; nil if nothing does. `isPowered` is whether the controller
    /// is on now.
    func leftovers(on name: String, isPowered: Bool) -> String? {
        var left: [String] = isExclusive && !isPowered ? ["switched off"] : []
        if !settings.contains(.powered), isPowered { left.append("switched on") }
        if !settings.contains(.lowEnergy) { left.append("with Low Energy on") }
        if phys != nil { left.append("with other PHYs selected") }
        if isMoved {
            left.append(
                "with a random static address"
                    + (settings.contains(.classic) ? " and without BR/EDR" : ""))
        }
        guard !left.isEmpty else { return nil }
        return "a run that was killed has left \(name) " + left.joined(separator: ", ")
    }
}

extension ControllerRecord {
    init?(_ text: String) {
        let words = text.split(whereSeparator: \.isWhitespace)
        guard words.count == 2 || words.count == 3 && ["moved", "exclusive"].contains(words[2]),
            let settings = UInt32(words[0], radix: 16)
        else { return nil }
        self.settings = ControllerSettings(rawValue: settings)
        isMoved = words.last == "moved"
        isExclusive = words.last == "exclusive"
        guard words[1] != "-" else { return }
        guard let phys = UInt32(words[1], radix: 16) else { return nil }
        self.phys = PHYSelection(rawValue: phys)
    }
}

/// The folder of the records: the user's runtime folder, which the system empties after the session; `/run` for root.
struct ControllerRecords: Sendable {
    let folder: String

    /// This user's records; nil if the user has no runtime folder.
    static var ours: ControllerRecords? {
        if let path = PathText.variable("XDG_RUNTIME_DIR"), path.hasPrefix("/") {
            return ControllerRecords(folder: path)
        }
        return geteuid() == 0 ? ControllerRecords(folder: "/run") : nil
    }

    private func path(_ name: String) -> String { "\(folder)/beacon-dfu-\(name)" }

    func record(of name: String) -> ControllerRecord? {
        Machine.text(of: path(name)).flatMap(ControllerRecord.init)
    }

    /// The format of a record: files of other formats are neither overwritten nor removed.
    private static let form = FileForm("record of a controller") { head in
        ControllerRecord(String(decoding: head, as: UTF8.self)) != nil
    }

    /// Fails silently: the record is needed only after a kill.
    func keep(_ record: ControllerRecord, of name: String) {
        guard let file = try? SideFile.open(path(name), as: Self.form, mode: 0o600) else { return }
        defer { _ = close(file.descriptor) }
        let text = Array((record.text + "\n").utf8)
        guard ftruncate(file.descriptor, 0) == 0 else { return }
        _ = pwrite(file.descriptor, text, text.count, 0)
    }

    /// Warns of what a killed run has left on the controller `adapter`, once, because that may be intended by now.
    /// Returns whether the run has left it off and it is still off: then its record stays.
    func warnOfLeftovers(of name: String, on adapter: String, isPowered: Bool, _ log: Logger) -> Bool {
        guard let record = record(of: name) else { return false }
        let isLeftOff = record.isExclusive && !isPowered
        if !isLeftOff { remove(name) }
        if let left = record.leftovers(on: adapter, isPowered: isPowered) {
            log.warning("\(left), which it was not before")
        }
        return isLeftOff
    }

    func remove(_ name: String) { try? SideFile.remove(path(name), as: Self.form) }
}

/// Identifies one of the kernel's Bluetooth controllers.
public enum ControllerName: Hashable, Sendable, CustomStringConvertible {
    /// The kernel's number for the controller: 0 for `hci0`. When it is plugged in again, it may get another one.
    case number(UInt16)
    /// The controller's own public address, which stays the same.
    case address(DeviceAddress)

    /// Parses `hci0` or `00:1B:DC:06:B2:4A`; nil for other texts.
    package init?(_ text: some StringProtocol) {
        if let address = DeviceAddress(text, .public) {
            self = .address(address)
            return
        }
        guard text.hasPrefix("hci"), let number = UInt16(text.dropFirst(3)), number != UInt16.max,
            text == "hci\(number)"
        else { return nil }
        self = .number(number)
    }

    func matches(_ number: UInt16, _ address: DeviceAddress) -> Bool {
        switch self {
        case .number(let own): own == number
        case .address(let own): own == address
        }
    }

    public var description: String {
        switch self {
        case .number(let number): "hci\(number)"
        case .address(let address): "\(address)"
        }
    }
}

extension DeviceAddress {
    /// Whether this address identifies a controller: some controllers have no public address, and report zeros.
    var identifiesController: Bool { bytes.contains { $0 != 0 } }
}
