/// What an application says of its version in the Device Information Service, as the Firmware Revision String
/// 2A26.
public enum FirmwareRevision: Hashable, Sendable {
    /// The number that its package had.
    case number
    /// `major.minor.patch` of a number that nrfutil made as major × 10000 + minor × 100 + patch.
    case dotted
    /// Always the same text, whatever runs.
    case text(String)
    /// There is no such service.
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
