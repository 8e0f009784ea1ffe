/// What the units of an order get.
public enum WorkFirmware: Hashable, Sendable {
    /// One package for all: its file name for people, its SHA-256 in lower-case hexadecimal. The engine has it.
    case file(name: String, sha256: String)
    /// What this version of the published catalogue chooses, of releases only or of those of the channel beta too.
    case catalogue(version: Int64, withBeta: Bool)
    /// Whatever the station's own tray file says.
    case ofTray
}
