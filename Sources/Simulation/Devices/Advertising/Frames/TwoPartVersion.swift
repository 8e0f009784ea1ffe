/// A version of two bytes, as in the frames of several vendors.
public struct TwoPartVersion: Hashable, Sendable {
    /// The number before the dot.
    public var major: UInt8
    /// The number after the dot.
    public var minor: UInt8

    /// The version `major.minor`.
    public init(_ major: UInt8, _ minor: UInt8) {
        self.major = major
        self.minor = minor
    }

    /// Parses a text such as `6.20`; nil for anything else.
    public init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        guard parts.count == 2, let major = parts[0], let minor = parts[1] else { return nil }
        self.init(major, minor)
    }

    /// Both numbers in decimal, separated by a dot.
    public var text: String { "\(major).\(minor)" }
}
