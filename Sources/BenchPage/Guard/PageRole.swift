/// A role. Each includes the rights of the ones below it.
public enum PageRole: String, CaseIterable, Comparable, Sendable {
    /// May view.
    case viewer
    /// May operate the bench.
    case worker = "operator"
    /// May release holds.
    case approver

    /// Orders by rights.
    public static func < (one: PageRole, other: PageRole) -> Bool { one.rank < other.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
