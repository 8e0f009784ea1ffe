/// The firmware of an order's units.
public enum WorkFirmware: Hashable, Sendable {
    /// One package for all, stored on the work server: its file name for display, its SHA-256 in lower-case
    /// hexadecimal.
    case file(name: String, sha256: String)
    /// The choice of this version of the published catalogue, from releases only or also from the channel beta.
    case catalogue(version: Int64, withBeta: Bool)
    /// The firmware of the station's own tray file.
    case ofTray
}
