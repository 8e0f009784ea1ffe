/// A release of Linux, such as `6.1.0-56-amd64`.
public struct KernelRelease: Equatable, Sendable {
    /// The text from the kernel.
    public let text: String
    /// The first two numbers; nil if the text begins otherwise.
    public let version: (major: Int, minor: Int)?

    /// Parses the text of a release.
    public init(_ text: String) {
        self.text = text
        let numbers = text.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false)
            .prefix(2).map { Int($0.prefix { $0.isASCII && $0.isNumber }) }
        if numbers.count == 2, let major = numbers[0], let minor = numbers[1] {
            version = (major, minor)
        } else {
            version = nil
        }
    }

    /// Whether it is at least this version; one that cannot be parsed counts as new.
    public func isAtLeast(_ major: Int, _ minor: Int) -> Bool {
        guard let version else { return true }
        return (version.major, version.minor) >= (major, minor)
    }

    /// Whether it corrupts its list of a link's channels when two programs connect to one device, as Debian's
    /// 6.1 does (`list_del corruption` in `hci_chan_del`, seen with 6.1.0-56 and 6.1.192).
    public var losesChannels: Bool { version.map { $0 == (6, 1) } ?? false }

    /// Releases are equal by their texts.
    public static func == (left: KernelRelease, right: KernelRelease) -> Bool { left.text == right.text }
}
