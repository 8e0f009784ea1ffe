import FirmwareModel

/// What one catalogue has otherwise than an earlier one.
public struct CatalogueChange: Hashable, Sendable {
    /// How an entry differs, by its word in JSON output.
    public enum Kind: String, Sendable {
        case added
        case removed
        case changed
        /// A release that is not to be installed any more.
        case withdrawn
    }

    /// How it differs.
    public let kind: Kind
    /// The family.
    public let model: String
    /// The release; nil where it is the family itself.
    public let version: String?
    /// Which keys have another value, or have been given or taken away.
    public let keys: [String]
}

extension Catalogue {
    /// What has changed since `earlier`: families in the order of both, each before its releases.
    public func changes(since earlier: Catalogue) -> [CatalogueChange] {
        let (old, new) = (Self.byName(earlier.models), Self.byName(models))
        let removed = earlier.models.filter { new[$0.identity] == nil }.map { model in
            CatalogueChange(kind: .removed, model: model.name, version: nil, keys: [])
        }
        return removed + models.flatMap { model in model.changes(since: old[model.identity]) }
    }

    private static func byName(_ models: [CatalogueModel]) -> [[String]: CatalogueModel] {
        Dictionary(models.map { ($0.identity, $0) }) { first, _ in first }
    }
}

extension CatalogueModel {
    fileprivate var identity: [String] { [name, device.kind.rawValue] }

    fileprivate func changes(since earlier: CatalogueModel?) -> [CatalogueChange] {
        func change(_ kind: CatalogueChange.Kind, _ version: String? = nil, _ keys: [String] = [])
            -> CatalogueChange
        {
            CatalogueChange(kind: kind, model: name, version: version, keys: keys)
        }
        guard let earlier else { return [change(.added)] + firmware.map { change(.added, $0.version) } }
        let keys = differences(members, earlier.members)
        var changes = keys.isEmpty ? [] : [change(.changed, nil, keys)]
        let (old, new) = (Self.byIdentity(earlier.firmware), Self.byIdentity(firmware))
        changes += earlier.firmware.filter { new[$0.identity] == nil }.map { change(.removed, $0.version) }
        for release in firmware {
            guard let before = old[release.identity] else {
                changes.append(change(.added, release.version))
                continue
            }
            let keys = differences(release.members, before.members)
            guard !keys.isEmpty else { continue }
            let isWithdrawn = release.withdrawn != nil && before.withdrawn == nil
            changes.append(change(isWithdrawn ? .withdrawn : .changed, release.version, keys))
        }
        return changes
    }

    private static func byIdentity(_ firmware: [CatalogueFirmware]) -> [[String]: CatalogueFirmware] {
        Dictionary(firmware.map { ($0.identity, $0) }) { first, _ in first }
    }
}

extension CatalogueFirmware {
    /// By what a release is the same one in two catalogues.
    fileprivate var identity: [String] {
        [version, timestamp.map { "\($0)" } ?? ""] + [
            hardware.joined(separator: ","), models.joined(separator: ","),
            devices.joined(separator: ","),
        ]
    }
}

private func differences(
    _ one: [(key: String, value: String)], _ other: [(key: String, value: String)]
) -> [String] {
    let before = Dictionary(other.map { ($0.key, $0.value) }) { first, _ in first }
    let changed = one.filter { before[$0.key] != $0.value }.map(\.key)
    let now = Set(one.map(\.key))
    return changed + other.map(\.key).filter { !now.contains($0) }
}
