/// Facts that a device shows before the update (dialog-suota.md, Layout); nil if absent.
struct DeviceFacts: Equatable, Sendable {
    /// Device Information, as text.
    var information: [DeviceInformation: String] = [:]
    /// The version of the service: 13 is 1.3.
    var version: Int?
    /// The largest chunk in bytes.
    var patchDataSize: Int?
    /// The MTU that the device reports.
    var mtu: Int?
    /// The channel for an image.
    var psm: UInt16?

    /// The first version of the service that supports blocks of 512 bytes.
    static let largeBlocks = 13

    /// Whether the device reports SDK 6 or later.
    var takesLargeBlocks: Bool { (version ?? 0) >= Self.largeBlocks }

    /// The family of its chip, if its model number names one.
    var family: HeaderFamily? { information[.model].flatMap(HeaderFamily.init(chipNamedIn:)) }

    /// The version texts of the running firmware.
    var revisions: [String] { DeviceInformation.allCases.filter(\.isRevision).compactMap { information[$0] } }

    /// Whether it reports `version`; a leading `v` or `v_` is ignored.
    func runs(_ version: String) -> Bool {
        !version.isEmpty && revisions.contains { $0 == version || Self.bare($0) == Self.bare(version) }
    }

    private static func bare(_ text: String) -> Substring {
        let start = text.first == "v" || text.first == "V" ? text.dropFirst() : text[...]
        return start.first == "_" ? start.dropFirst() : start
    }

    /// A number of any length, low byte first; nil without bytes. Devices differ in the number of bytes.
    static func number(_ bytes: [UInt8]) -> Int? {
        bytes.isEmpty ? nil : bytes.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// A text up to its first zero, as some devices send a C string; nil if empty.
    static func text(_ bytes: [UInt8]) -> String? {
        let text = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        return text.isEmpty ? nil : text
    }
}
