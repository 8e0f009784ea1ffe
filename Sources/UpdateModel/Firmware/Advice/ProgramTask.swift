/// A task that advice can suggest to a user.
public enum ProgramTask: Hashable, Sendable {
    /// Listen for beacons.
    case scan
    /// Read a beacon's own information.
    case info
    /// Check a release.
    case validate
    /// Build a firmware package of a kind; nil for any.
    case build(FirmwareKind?)
}

extension ProgramTask: CustomStringConvertible {
    /// The task in neutral words, for programs that have no commands.
    public var description: String {
        switch self {
        case .scan: "a scan"
        case .info: "a query of the beacon"
        case .validate: "validation"
        case .build(nil): "a build of a package"
        case .build(let kind?): "a build of a package of kind \(kind)"
        }
    }
}
