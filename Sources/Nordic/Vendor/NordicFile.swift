package import Bluetooth
import Bytes
package import UpdateModel

package protocol NordicFile: VendorFile {
    associatedtype Part: PackagePart
    /// The parts in sending order: the system part first, then the application after a reset.
    var parts: [Part] { get }
    /// The names of entries that belong to no part, folders included.
    var ignoredEntries: [String] { get }
    func entry(_ options: UpdateOptions) -> any BootloaderEntry
    var service: BluetoothUUID { get }

    /// The findings of all parts, in sending order. `key` is the bootloader's public key; nil checks no signature.
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
        guard let kind = own.unsupportedKeyKind else { return findings(key: own.key) }
        let unchecked = parts.map { part in
            Finding(
                .nordicRefusal.signatureInvalid, .error,
                Finding.Place(entry: part.packetFile, field: part.signatureField),
                "cannot be checked with a key of \(kind): bootloaders for this package have a P-256 key")
        }
        return (findings(key: nil) + unchecked).errorsFirst
    }

    /// Adds findings that block a release, although bootloaders would accept the package.
    package func releaseFindings(_ options: UpdateOptions, for device: TargetDevice?) -> [Finding] {
        var all = findings(options)
        if options[NordicOptions.self].key == nil, options[NordicOptions.self].unsupportedKeyKind == nil {
            for part in parts where part.signatureField != nil {
                let place = Finding.Place(entry: part.packetFile, field: part.signatureField)
                all.append(Finding(.nordicFinding.keyNotGiven, .error, place, "was not compared with a key"))
            }
        }
        guard !ignoredEntries.isEmpty else { return all }
        let names = ignoredEntries.joined(atMost: 5)
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

/// An image of a package, with its role and metadata.
package protocol PackagePart: Hashable, Sendable {
    var role: FirmwareRole { get }
    var image: [UInt8] { get }
    /// The archive entry with the image; if the image has two entries, the first.
    var binFile: String { get }
    /// The archive entry with the init packet; ``binFile`` if there is no init packet.
    var packetFile: String { get }
    /// The version in the init packet; nil if it has none.
    var version: FirmwareVersion? { get }
    /// The field with the signature; nil in an unsigned part.
    var signatureField: String? { get }
    /// The remark on the part in the package's summary.
    var remark: String { get }
    /// The part's data in JSON output.
    var facts: Fact { get }
    /// The part's data in output for people, in at most 80 columns.
    var section: FileInspection.Section { get }

    func procedure(_ options: UpdateOptions) -> any UpdateProcedure
}

extension PackagePart {
    func error(
        _ code: FailureCode, _ field: String?, in entry: String? = nil, _ message: String
    ) -> Finding { finding(code, .error, field, in: entry, message) }

    func warning(
        _ code: FailureCode, _ field: String?, in entry: String? = nil, _ message: String
    ) -> Finding { finding(code, .warning, field, in: entry, message) }

    func note(
        _ code: FailureCode, _ field: String?, in entry: String? = nil, _ message: String
    ) -> Finding { finding(code, .note, field, in: entry, message) }

    /// A finding about `field` of `entry`, or of the init packet if `entry` is nil.
    private func finding(
        _ code: FailureCode, _ level: FindingLevel, _ field: String?, in entry: String?, _ message: String
    ) -> Finding {
        Finding(code, level, .init(entry: entry ?? packetFile, field: field), message, part: role.rawValue)
    }
}

extension [String] {
    /// The first `most` elements, and the number of the others: a hostile file may have thousands.
    func joined(atMost most: Int) -> String {
        let shown = prefix(most).joined(separator: ", ")
        return count > most ? "\(shown) and \(count - most) more" : shown
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
