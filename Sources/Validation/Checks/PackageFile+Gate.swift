import DialogSUOTA
import FBeacon
import NordicDFU
import Vendors

extension PackageFile {
    /// The kind, as `inspect` names it.
    var kindName: String {
        switch self {
        case .nordicSecure: "nordic-secure"
        case .nordicLegacy: "nordic-legacy"
        case .suota: "suota"
        case .fbeacon: "fbeacon"
        case .unsupported(let file): file.kind.rawValue
        }
    }

    /// Whether it is no firmware that beacons could be given.
    var isForeign: Bool { if case .unsupported = self { true } else { false } }

    /// What receivers tell a SUOTA image by.
    var imageIdentity: ImageIdentity? {
        if case .suota(let image) = self { ImageIdentity(image) } else { nil }
    }

    /// The version that the file installs; nil when it names none.
    var version: (text: String, place: Finding.Place)? {
        switch self {
        case .nordicSecure(let package):
            package.parts.first { $0.role == .application }.flatMap { part in
                part.initPacket.firmwareVersion.map {
                    (String($0), Finding.Place(entry: part.datFile, field: "InitCommand.fw_version"))
                }
            }
        case .nordicLegacy(let package):
            package.parts.first { $0.role == .application }.flatMap { part in
                // FFFFFFFF stands for none.
                part.initPacket.flatMap { $0.applicationVersion == .max ? nil : $0.applicationVersion }.map {
                    (String($0), Finding.Place(entry: part.datFile, field: "application_version"))
                }
            }
        case .suota(let image):
            (
                image.header.version.text,
                Finding.Place(offset: image.header.family.versionOffset, field: "version")
            )
        case .fbeacon(let file):
            (String(file.header.versionEnd), Finding.Place(offset: 12, field: "versionEnd"))
        case .unsupported: nil
        }
    }
}
