/// What somebody has asked for although the running application speaks against it.
public struct AcceptedRisks: OptionSet, Sendable {
    /// One bit a risk.
    public let rawValue: Int
    /// The risks of these bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The application says that it has this version already.
    public static let sameVersion = AcceptedRisks(rawValue: 1)
    /// The application says that it has a higher version.
    public static let lowerVersion = AcceptedRisks(rawValue: 2)
    /// The application names a chip of another family.
    public static let wrongFamily = AcceptedRisks(rawValue: 4)
}
