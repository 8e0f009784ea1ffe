import UpdateModel

/// A difference between a catalogue and an earlier one.
package struct CatalogueChange: Hashable, Sendable {
    package enum Kind: String, Sendable {
        case added
        case removed
        case changed
        /// A release that must not be installed any more.
        case withdrawn
    }

    package let kind: Kind
    package let model: String
    /// The release; nil for the family itself.
    package let version: String?
    /// The keys of the entry whose values differ; empty unless both catalogues have the entry.
    package let keys: [String]
}

extension Catalogue {
    /// The changes since `earlier`: removed families, then this catalogue's in its order, each before its releases.
    package func changes(since earlier: Catalogue) -> [CatalogueChange] {
        let pairs = Pairs(earlier.families, families, by: \.identity)
        let removed = pairs.removed.map {
            CatalogueChange(kind: .removed, model: $0.name, version: nil, keys: [])
        }
        return removed + pairs.kept.flatMap { family, before in family.changes(since: before) }
    }
}

/// Pairs the entries of two catalogues. Of entries with the same identity, the first in each catalogue are a pair,
/// then the second, and so on.
private struct Pairs<Entry> {
    /// Entries that only the earlier catalogue has.
    let removed: [Entry]
    /// Entries of the later catalogue, with their counterparts in the earlier one; nil if there is none.
    let kept: [(entry: Entry, before: Entry?)]

    init(_ earlier: [Entry], _ later: [Entry], by identity: (Entry) -> [String]) {
        var rest = Dictionary(grouping: earlier.indices) { identity(earlier[$0]) }
            .mapValues { ArraySlice($0) }
        kept = later.map { entry in
            (entry, rest[identity(entry)]?.popFirst().map { earlier[$0] })
        }
        removed = rest.values.joined().sorted().map { earlier[$0] }
    }
}

extension CatalogueFamily {
    fileprivate var identity: [String] { [name, device.kind.rawValue] }

    fileprivate func changes(since earlier: CatalogueFamily?) -> [CatalogueChange] {
        func change(_ kind: CatalogueChange.Kind, _ version: String? = nil, _ keys: [String] = [])
            -> CatalogueChange
        {
            CatalogueChange(kind: kind, model: name, version: version, keys: keys)
        }
        guard let earlier else { return [change(.added)] + firmware.map { change(.added, $0.version) } }
        let keys = differences(members, earlier.members)
        var changes = keys.isEmpty ? [] : [change(.changed, nil, keys)]
        let pairs = Pairs(earlier.firmware, firmware, by: \.identity)
        changes += pairs.removed.map { change(.removed, $0.version) }
        for (release, before) in pairs.kept {
            guard let before else {
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
}

extension CatalogueFirmware {
    fileprivate var identity: [String] {
        [version, timestamp.map { "\($0)" } ?? ""]
            + [hardware, models, devices].map { $0.joined(separator: ",") }
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

extension CatalogueFamily {
    /// The keys and values of the family's entry, without its releases.
    package var members: [(key: String, value: String)] {
        let own: [(String, String?)] = [
            ("model", name), ("kind", device.kind.rawValue), ("vendor_way", vendorWay),
        ]
        let order: [(String, String?)] = [
            ("versions", scheme.rawValue), ("version_from", versionSource?.rawValue),
            ("minimum_battery", minimumBattery.map { "\($0)" }),
        ]
        return given(own) + criteria.members.map { ("recognised_by.\($0.key)", $0.value) } + given(order)
            + given(Self.vendorKeys.map { ($0.name, device.facts[$0.name]) })
            + settings.map { ("flash.\($0.name)", $0.value) }
    }
}

extension CatalogueFirmware {
    package var members: [(key: String, value: String)] {
        given([
            ("version", version), ("package_version", packageVersion),
            ("timestamp", timestamp.map { "\($0)" }), ("file", file), ("sha256", sha256),
            ("channel", channel.rawValue), ("models", list(models)), ("hardware_versions", list(hardware)),
            ("devices", list(devices)),
            ("minimum_installed", minimumInstalled), ("through", through), ("notes", notes),
            ("urgency", urgency?.rawValue), ("key", key), ("withdrawn", withdrawn),
        ])
    }

    private func list(_ words: [String]) -> String? { words.isEmpty ? nil : words.joined(separator: ", ") }
}

private func given(_ members: [(String, String?)]) -> [(key: String, value: String)] {
    members.compactMap { key, value in value.map { (key, $0) } }
}
