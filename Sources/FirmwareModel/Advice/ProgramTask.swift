/// A task that advice can ask a user of a firmware program to do.
public enum ProgramTask: Hashable, Sendable {
    /// Listen for beacons.
    case scan
    /// Read what a beacon says about itself.
    case info
    /// Check a release.
    case validate
    /// Make a file that beacons take, of a kind; nil for any.
    case build(FirmwareKind?)
}

extension ProgramTask: CustomStringConvertible {
    /// The task in neutral words, for programs that have no commands.
    public var description: String {
        switch self {
        case .scan: "a scan"
        case .info: "a look at the beacon"
        case .validate: "validation"
        case .build(nil): "a build of a package"
        case .build(let kind?): "a build of a package of kind \(kind)"
        }
    }
}
