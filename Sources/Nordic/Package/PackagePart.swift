package import UpdateModel

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
    /// The first `most` elements and the number of the others: a hostile file may have thousands.
    func few(_ most: Int) -> String {
        let shown = prefix(most).joined(separator: ", ")
        return count > most ? "\(shown) and \(count - most) more" : shown
    }
}
