/// The maker of a beacon; the raw value is used in JSON and filters.
public enum Maker: String, CaseIterable, Sendable {
    case kkm
    case feasycom
    case kontakt
    case estimote
    case aprilBrother = "aprilbrother"
    case orange

    /// The name for people.
    public var title: String {
        switch self {
        case .kkm: "KKM"
        case .feasycom: "Feasycom"
        case .kontakt: "Kontakt.io"
        case .estimote: "Estimote"
        case .aprilBrother: "AprilBrother"
        case .orange: "Orange"
        }
    }
}
