/// What somebody may do; who may more may do all that others may.
public enum PageRole: String, CaseIterable, Comparable, Sendable {
    /// Looks.
    case viewer
    /// Works at the bench.
    case worker = "operator"
    /// Lets it go on after a hold.
    case approver

    /// By how much they may do.
    public static func < (one: PageRole, other: PageRole) -> Bool { one.rank < other.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
