import UpdateModel

extension CatalogueModel {
    /// The family's entry, by keys; without its releases.
    public var members: [(key: String, value: String)] {
        let own: [(String, String?)] = [
            ("model", name), ("kind", device.kind.rawValue), ("vendor_way", vendorWay),
            ("recognised_by.maker", recognition.maker), ("recognised_by.family", recognition.family),
            ("recognised_by.model", recognition.model),
            ("recognised_by.number", recognition.number.map { "\($0)" }),
            ("recognised_by.name", recognition.name),
            ("versions", scheme.rawValue), ("version_from", versionSource?.rawValue),
            ("minimum_battery", minimumBattery.map { "\($0)" }),
        ]
        return given(own) + given(Self.vendorKeys.map { ($0.name, device.facts[$0.name]) })
            + settings.map { ("flash.\($0.name)", $0.value) }
    }
}

extension CatalogueFirmware {
    /// The release's entry, by keys.
    public var members: [(key: String, value: String)] {
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
