/// In which order units are begun.
public enum TrayOrder: String, CaseIterable, Sendable {
    /// As the slots are listed; by a rule, as they are heard.
    case listed
    /// The loudest first.
    case loudest
}
