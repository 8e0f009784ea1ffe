/// How an application reports its version in the Device Information Service, as the Firmware Revision String 2A26.
public enum FirmwareRevision: Hashable, Sendable {
    /// The version number of its package.
    case number
    /// `major.minor.patch` of a number that nrfutil computed as major × 10000 + minor × 100 + patch.
    case dotted
    /// A fixed text, whatever runs.
    case text(String)
    /// No such service.
    case none

    /// The text for an application with `version`; nil for none.
    func text(of version: UInt32) -> String? {
        switch self {
        case .number: String(version)
        case .dotted: "\(version / 10000).\(version / 100 % 100).\(version % 100)"
        case .text(let text): text
        case .none: nil
        }
    }
}
