package import Bluetooth
package import Bytes
package import UpdateModel

package protocol NordicFile: VendorFile {
    associatedtype Part: PackagePart
    /// The parts in sending order: the system part first, then, after a reset, the application.
    var parts: [Part] { get }
    /// The names of entries that belong to no part, folders included.
    var ignoredEntries: [String] { get }
    func entry(_ options: UpdateOptions) -> any BootloaderEntry
    var service: BluetoothUUID { get }

    /// The findings of all parts, in sending order. `key` is the public key of the bootloader; nil checks no signature.
    func findings(key: NordicPublicKey?) -> [Finding]
}

extension NordicFile {
    package var usualExtension: String { ".zip" }
    package var optionTypes: [any VendorOptions.Type] { [NordicOptions.self] }

    package var summary: PackageSummary {
        PackageSummary(
            parts.map { part in
                PackageSummary.Part(
                    part.role.title, bytes: part.image.count, version: part.version,
                    remarks: [part.remark], isApplication: part.role == .application)
            })
    }

    package func findings(_ options: UpdateOptions) -> [Finding] {
        let own = options[NordicOptions.self]
        guard let kind = own.otherKey else { return findings(key: own.key) }
        let unchecked = parts.map { part in
            Finding(
                .nordicRefusal.signatureInvalid, .error,
                Finding.Place(entry: part.packetFile, field: part.signatureField),
                "cannot be checked with a key of \(kind): bootloaders for this package have a P-256 key")
        }
        return (findings(key: nil) + unchecked).errorsFirst
    }

    /// Adds findings that block a release although bootloaders would accept the package.
    package func releaseFindings(_ options: UpdateOptions, for device: TargetDevice?) -> [Finding] {
        var all = findings(options)
        if options[NordicOptions.self].key == nil, options[NordicOptions.self].otherKey == nil {
            for part in parts where part.signatureField != nil {
                let place = Finding.Place(entry: part.packetFile, field: part.signatureField)
                all.append(Finding(.nordicFinding.keyNotGiven, .error, place, "was not compared with a key"))
            }
        }
        guard !ignoredEntries.isEmpty else { return all }
        let names = ignoredEntries.few(5)
        return all + [Finding(.nordicFinding.strayEntries, .error, "the manifest does not name \(names)")]
    }

    package func plan(_ options: UpdateOptions) throws(PlanRefusal) -> UpdatePlan {
        if let error = findings(options).firstError { throw .file(error) }
        let steps = parts.map { PartSequence.Part($0.role.title, $0.procedure(options)) }
        guard let first = steps.first else {
            throw .file(Finding(.nordicRefusal.packageEmpty, .error, "there is nothing to send"))
        }
        return UpdatePlan(PartSequence(first, Array(steps.dropFirst())), entry: entry(options), over: service)
    }

    func inspection(_ title: String, remark: String? = nil, _ facts: [String: Fact] = [:]) -> FileInspection {
        let common: [String: Fact] = [
            "parts": .list(parts.map(\.facts)), "ignored_entries": .list(ignoredEntries.map(Fact.text)),
        ]
        return FileInspection(
            title, remark: remark, facts: facts.merging(common) { $1 }, sections: parts.map(\.section),
            endnotes: ignoredEntries.isEmpty
                ? [] : ["ignored entries: \(ignoredEntries.joined(separator: ", "))"])
    }
}

typealias Row = FileInspection.Row

extension Row {
    /// The digits of `bytes` on lines of `width` digits, the first of them after `name`.
    static func digits(_ name: String, _ bytes: [UInt8], width: Int) -> [Row] {
        let digits = HexText.encode(bytes)
        return stride(from: 0, to: digits.count, by: width).map { start in
            Row(start == 0 ? name : "", "\(digits.dropFirst(start).prefix(width))")
        }
    }
}

extension FirmwareKind {
    static let nordicSecure = FirmwareKind(rawValue: "nordic-secure")
    package static let nordicLegacy = FirmwareKind(rawValue: "nordic-legacy")
    /// The buttonless service of an application that starts a bootloader; there is no file format of its own.
    static let nordicButtonless = FirmwareKind(rawValue: "nordic-buttonless")
}

package struct NordicOptions: VendorOptions {
    /// The initial number of packets per receipt; nil lets the procedure choose.
    package var receiptInterval: Int?
    /// The name that the application is asked to give its bootloader; nil for a random one.
    package var bootloaderName: String?
    /// Whether the bootloader is given no name.
    package var leavesName = false
    /// The public key in the bootloader; nil if it is not known.
    package var key: NordicPublicKey?
    /// The kind of a given key that is not P-256, with which no package can be checked; nil if there is none.
    package var otherKey: SignatureKey.Kind?

    package init() {}

    /// The help lists these options with the others for links and bootloaders.
    package static let title = TransferOptions.title
    package static let options: [VendorOption] = [.receiptInterval, .bootloaderName, .noBootloaderName]

    package static func flaw(in values: OptionValues) -> Advice? {
        values[.bootloaderName] != nil && values.isSet(.noBootloaderName)
            ? "give \(.bootloaderName) or \(.noBootloaderName), not both" : nil
    }

    /// If the user requests a name or no name, the catalogue's options for the name do not apply.
    package static func completed(_ values: OptionValues, by model: OptionValues) -> OptionValues {
        var all = values
        all[.receiptInterval] = values[.receiptInterval] ?? model[.receiptInterval]
        guard values[.bootloaderName] == nil, values[.noBootloaderName] == nil else { return all }
        for option in [VendorOption.bootloaderName, .noBootloaderName] { all[option] = model[option] }
        return all
    }

    package mutating func adopt(_ values: OptionValues, from file: [UInt8]?) {
        receiptInterval = values.number(.receiptInterval)
        bootloaderName = values[.bootloaderName]
        leavesName = values.isSet(.noBootloaderName)
    }
}

extension VendorOption {
    static let receiptInterval = VendorOption(
        "prn", title: "receipt interval", .number(UInt16.self), "packets",
        help: "Initial packets per receipt; 0 for none. Default: by MTU; 8 for Legacy DFU.", in: [.catalogue])
    package static let bootloaderName: VendorOption = VendorOption(
        "bootloader-name", title: "name of the bootloader", .text, "text",
        help:
            "The name that a Secure bootloader is given for the update, 1 to 18 bytes. Default: a random one. Two units with one name at a time are told apart by their addresses only.",
        in: [.catalogue, .tray]
    ) { (1...18).contains($0.utf8.count) ? nil : "\(.bootloaderName) is a name of 1 to 18 bytes" }
    static let noBootloaderName = VendorOption(
        "no-bootloader-name", title: "bootloader without a name", .flag,
        help:
            "Give the bootloader no name, for applications that fail at the request. It is recognised by its address only, after a scan for its neighbours.",
        in: [.catalogue, .tray])
}
