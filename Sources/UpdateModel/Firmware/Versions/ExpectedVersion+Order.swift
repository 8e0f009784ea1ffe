extension ExpectedVersion {
    /// How a package's number compares with the version that an application reports.
    public enum Order: Sendable {
        /// The package has the lower number.
        case lower
        /// They are the same version.
        case same
        /// The package has the higher number.
        case higher
    }

    /// The number that a package would have for the version that an application reports; nil if there is none.
    public static func number(of shown: String) -> UInt32? { Self.number(in: shown) }

    /// How `number` compares with `shown`; nil if the two are numbered differently.
    public static func order(of number: UInt32, to shown: String) -> Order? {
        guard let installed = Self.number(in: shown), mayCompare(number, with: shown) else { return nil }
        if number == installed { return .same }
        return number < installed ? .lower : .higher
    }
}
