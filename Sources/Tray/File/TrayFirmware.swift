public import Firmware

/// The source of a unit's firmware. Paths are relative to the folder of the tray file, or absolute.
public enum TrayFirmware: Hashable, Sendable {
    /// One file for every unit.
    case file(String)
    /// The release that the catalogue in a folder chooses for the unit, from `channel`.
    case catalogue(folder: String, channel: CatalogueChannel)

    func check() throws(TrayFileError) {
        switch self {
        case .file(let path):
            try TrayText.check(path, of: "firmware", upTo: TrayText.mostPathBytes)
        case .catalogue(let folder, _):
            try TrayText.check(folder, of: "catalogue", upTo: TrayText.mostPathBytes)
        }
    }
}
