import Catalogue
import DialogSUOTA
import FBeacon
import NordicDFU
import Vendors

/// Whether the file is the next release: by its timestamp, and by what the catalogue has.
struct ReleaseCheck {
    let content: PackageFile

    func timestampFlaws(now: UInt32?) -> [Flaw] {
        let (stamp, place): (UInt32, Finding.Place)
        switch content {
        case .suota(let image):
            stamp = image.header.timestamp
            place = Finding.Place(offset: image.header.family.timestampOffset, field: "timestamp")
        case .fbeacon(let file):
            guard let built = file.records.lazy.compactMap(\.builtAt).first else { return [] }
            (stamp, place) = (built, Finding.Place(field: "builtAt"))
        case .nordicSecure, .nordicLegacy, .unsupported: return []
        }
        guard let now, stamp > now else { return [] }
        return [
            Flaw("timestamp-future", place, "is \(Self.distance(stamp - now)) ahead of this machine's clock")
        ]
    }

    private static func distance(_ seconds: UInt32) -> String {
        seconds < 172_800 ? "\(seconds) s" : "\(seconds / 86_400) days"
    }

    /// Compares with the newest release of the model; the very same file is no later release.
    func versionFlaws(against catalogue: Catalogue, model name: String?, sha256: String) -> [Flaw] {
        // Said also of a file without a version: whoever names a model wants it compared.
        if let name, catalogue.models(named: name).isEmpty {
            return [Flaw("target-model-unknown", "the catalogue has no model \(name)")]
        }
        guard let version = content.version else { return [] }
        let candidates = models(in: catalogue, named: name)
        guard let model = candidates.first, candidates.count == 1 else {
            return [Flaw("catalogue-model-unknown", Self.unknown(name, candidates))]
        }
        if let mismatch = mismatch(with: model) { return [mismatch] }
        guard let newest = model.newest, newest.sha256 != sha256 else { return [] }
        guard let old = VersionOrder(newest.version), let new = VersionOrder(version.text) else {
            return []
        }
        if new > old { return [] }
        if new == old, let stamp = timestamp, let known = newest.timestamp, stamp > known { return [] }
        let words = "\(version.text) is not above \(newest.version), the newest of \(model.name)"
        return [Flaw("version-not-newer", version.place, words)]
    }

    /// The catalogue's hardware or family of chips, where the file has another.
    private func mismatch(with model: CatalogueModel) -> Flaw? {
        switch content {
        case .nordicSecure(let package):
            guard let wanted = model.hardware,
                let part = package.parts.first(where: { $0.initPacket.hardwareVersion != wanted })
            else { return nil }
            let has = part.initPacket.hardwareVersion.map(String.init) ?? "none"
            return Flaw(
                "catalogue-mismatch", Finding.Place(entry: part.datFile, field: "InitCommand.hw_version"),
                "is \(has), and \(model.name) has \(wanted)")
        case .suota(let image):
            guard let wanted = model.header, wanted != image.header.family.rawValue else { return nil }
            return Flaw(
                "catalogue-mismatch", Finding.Place(offset: 0, field: "signature"),
                "is that of \(image.header.family.rawValue), and \(model.name) has \(wanted)")
        default: return nil
        }
    }

    private var timestamp: UInt32? {
        if case .suota(let image) = content { image.header.timestamp } else { nil }
    }

    /// Only a Feasycom file says itself which model it is for.
    private func models(in catalogue: Catalogue, named name: String?) -> [CatalogueModel] {
        let kind = content.kindName
        if let name { return catalogue.models(named: name).filter { $0.kind == kind } }
        guard case .fbeacon(let file) = content else { return [] }
        return catalogue.models.filter { model in
            guard model.kind == kind else { return false }
            if let text = file.modelType { return model.name == text }
            return model.number == file.header.modelNumber && file.header.modelNumber != 0
        }
    }

    private static func unknown(_ name: String?, _ candidates: [CatalogueModel]) -> String {
        guard candidates.isEmpty else {
            return
                "the catalogue has \(candidates.count) models that this could be; name one with --target model="
        }
        guard let name else { return "the file does not name its model; name it with --target model=" }
        return "the catalogue has no model \(name) with packages of this kind"
    }
}
