/// A version of two bytes, as several makers' frames have it.
public struct TwoPartVersion: Hashable, Sendable {
    /// Before the point.
    public var major: UInt8
    /// After it.
    public var minor: UInt8

    /// The version `major.minor`.
    public init(_ major: UInt8, _ minor: UInt8) {
        self.major = major
        self.minor = minor
    }

    /// The version of a text such as `6.20`; nil for anything else.
    public init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        guard parts.count == 2, let major = parts[0], let minor = parts[1] else { return nil }
        self.init(major, minor)
    }

    /// Both numbers in decimal, with a point between them.
    public var text: String { "\(major).\(minor)" }
}
