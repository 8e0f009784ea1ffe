import FirmwareModel

extension Catalogue {
    /// `device` with what was read over a connection to it, and where that contradicts its advertisements. What is
    /// contradicted counts as unknown.
    ///
    /// The advertised name stays, whatever the device calls itself: families are recognised by it. Of two charges the
    /// lower one counts.
    public func complete(
        _ device: CatalogueDevice, with reading: DeviceReading
    ) -> (device: CatalogueDevice, warnings: [CatalogueMatch.Warning]) {
        var device = device
        var warnings: [CatalogueMatch.Warning] = []
        func settle(
            _ fact: WritableKeyPath<CatalogueDevice, String?>, _ read: String?, _ what: String,
            isSame: (String, String) -> Bool
        ) {
            guard let read else { return }
            guard let heard = device[keyPath: fact] else { return device[keyPath: fact] = read }
            guard !isSame(heard, read) else { return }
            device[keyPath: fact] = nil
            warnings.append(
                .init(
                    code: "identity-contradicted",
                    words: "it advertises the \(what) \(heard), and says \(read) over a connection"))
        }
        device.name = device.name ?? reading.name
        device.battery = [device.battery, reading.battery].compactMap(\.self).min()
        settle(\.model, reading.model, "model") { $0.lowercased() == $1.lowercased() }
        settle(\.hardware, reading.hardware, "hardware version", isSame: ReleaseChoice.isSameHardware)
        let family = match(device).model
        if let family {
            // A text that is no version says nothing against one that is.
            let version = reading.version(in: family.versionSource).flatMap { read in
                device.version == nil || family.scheme.version(read) != nil ? read : nil
            }
            // Where the family shows its version elsewhere, the advertised one is another number.
            if version != nil, device.versionSource == .advertising, let shown = family.versionSource,
                shown != .advertising
            {
                device.version = nil
            }
            settle(\.version, version, "version") { heard, read in
                family.scheme.version(heard).map { $0 == family.scheme.version(read) } ?? (heard == read)
            }
        }
        if reading.version(in: family?.versionSource) != nil { device.versionSource = nil }
        return (device, warnings)
    }
}

extension CatalogueMatch {
    /// Whether everything that is missing can be read over a connection (``DeviceReading``).
    public var isSettledByReading: Bool {
        guard case .unknown(let missing) = outcome else { return false }
        let showsVersion = model.map { $0.versionSource != .advertising && $0.versionSource != .session }
        return missing.allSatisfy { fact in
            ["model", "name", "hardware"].contains(fact) || fact == "version" && showsVersion ?? true
        }
    }
}
