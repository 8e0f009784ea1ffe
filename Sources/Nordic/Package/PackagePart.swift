package import UpdateModel

package protocol PackagePart: Hashable, Sendable {
    var role: FirmwareRole { get }
    var image: [UInt8] { get }
    /// The entry with the image, or the first of two.
    var binFile: String { get }
    /// The entry with the init packet, or that of the image if there is none.
    var packetFile: String { get }
    /// The version in the init packet; nil if it has none.
    var version: FirmwareVersion? { get }
    /// The field with the signature; nil in an unsigned part.
    var signatureField: String? { get }
    /// What the summary adds.
    var remark: String { get }
    /// The part for programs, and for people in at most 80 columns.
    var facts: Fact { get }
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

    /// A finding about `field` of the init packet, unless another `entry` is given.
    private func finding(
        _ code: FailureCode, _ level: FindingLevel, _ field: String?, in entry: String?, _ message: String
    ) -> Finding {
        Finding(code, level, .init(entry: entry ?? packetFile, field: field), message, part: role.rawValue)
    }
}

extension [String] {
    /// The first few of many: a hostile file may have thousands.
    func few(_ most: Int) -> String {
        let shown = prefix(most).joined(separator: ", ")
        return count > most ? "\(shown) and \(count - most) more" : shown
    }
}
