/// The order in which units start.
public enum TrayOrder: String, CaseIterable, Sendable {
    /// As the slots are listed; with a rule, as they are heard.
    case listed
    /// The loudest first.
    case loudest
}
