import Bytes
import UpdateModel

extension CatalogueFamily {
    /// The keys of every family, in the order of the format's documentation.
    static let ownKeys = [
        "model", "kind", "vendor_way", "recognised_by", "versions", "version_from", "minimum_battery",
        "flash", "firmware",
    ]
    static var vendorKeys: [DeviceKey] { KnownVendors.all.flatMap(\.modelKeys) }
    static var kinds: [FirmwareKind] { KnownVendors.kinds + [.vendorOnly] }

    /// The most releases of a family: more than any has, and few enough to follow every path between them.
    private static let mostReleases = 1000

    init(_ value: YAMLValue, in file: String) throws(YAMLProblem) {
        let values = try value.values(of: Self.ownKeys + Self.vendorKeys.map(\.name))
        let name = try value.required("model", in: values).text()
        let kind = try value.required("kind", in: values).choice(of: Self.kinds.map(\.rawValue))
        var facts = TargetDevice()
        for key in Self.vendorKeys { facts[key.name] = try values[key.name]?.text(for: key) }
        device = DeviceModel(name: name, kind: FirmwareKind(rawValue: kind), facts: facts)
        criteria = try values["recognised_by"].map(FamilyCriteria.init(_:)) ?? FamilyCriteria(model: name)
        vendorWay = try values["vendor_way"]?.text()
        guard (device.kind == .vendorOnly) == (vendorWay != nil) else {
            throw value.problem("'vendor_way' is only for models of kind vendor-only")
        }
        scheme = try values["versions"]?.word() ?? .digits
        versionSource = try values["version_from"]?.word()
        minimumBattery = try values["minimum_battery"]?.number(in: 0...100)
        settings =
            try values["flash"].map { (value) throws(YAMLProblem) in try Self.settings(value, in: file) }
            ?? []
        var firmware: [CatalogueFirmware] = []
        for value in try values["firmware"]?.list() ?? [] {
            guard firmware.count < Self.mostReleases else {
                throw value.problem("a model may have at most \(Self.mostReleases) releases")
            }
            firmware.append(try CatalogueFirmware(value, by: scheme, in: file))
        }
        self.firmware = firmware
        place = CataloguePlace(value, in: file)
    }

    private static func settings(_ value: YAMLValue, in file: String) throws(YAMLProblem) -> [FlashSetting] {
        var settings: [FlashSetting] = []
        for member in try value.members() {
            guard FlashSetting.names.contains(member.key) else { throw member.unknown(FlashSetting.names) }
            let text = try member.value.text()
            settings.append(
                FlashSetting(name: member.key, value: text, place: CataloguePlace(member.value, in: file)))
        }
        return settings
    }
}

extension FamilyCriteria {
    init(model: String) { self.init(maker: nil, family: nil, model: model, number: nil, name: nil) }

    init(_ value: YAMLValue) throws(YAMLProblem) {
        let values = try value.values(of: Self.keys)
        guard !values.isEmpty else { throw value.problem("at least one of \(Self.keys) is needed") }
        self.init(
            maker: try values["maker"]?.text(), family: try values["family"]?.text(),
            model: try values["model"]?.pattern(), number: try values["number"]?.number(in: 0...0xFFFF),
            name: try values["name"]?.pattern())
    }
}

extension YAMLValue {
    /// A pattern for short texts that devices report.
    func pattern() throws(YAMLProblem) -> String {
        let text = try text()
        guard text.utf8.count <= 64 else { throw problem("a pattern may have at most 64 bytes") }
        return text
    }

    fileprivate func text(for key: DeviceKey) throws(YAMLProblem) -> String {
        let text = try text()
        guard key.takes(text) else { throw problem(key.refusal(of: text)) }
        return text
    }
}

/// One file of a catalogue (docs/formats/catalogue.md).
struct CatalogueFile {
    static let keys = ["catalogue", "vendor", "models"]

    let families: [CatalogueFamily]

    init(parsing text: [UInt8], named name: String) throws(YAMLProblem) {
        let root = try YAMLValue(parsing: text)
        let values = try root.values(of: Self.keys)
        guard let version = values["catalogue"] else { throw root.problem("'catalogue: 1' is missing") }
        guard try version.number(as: Int.self) == 1 else {
            throw version.problem("only version 1 of the format is supported")
        }
        _ = try values["vendor"]?.text()
        guard let list = values["models"] else { throw root.problem("'models' is missing") }
        var families: [CatalogueFamily] = []
        var seen: Set<[String]> = []
        for value in try list.list() {
            let family = try CatalogueFamily(value, in: name)
            guard seen.insert([family.name, family.device.kind.rawValue]).inserted else {
                throw value.problem("model '\(family.name)' appears twice")
            }
            families.append(family)
        }
        self.families = families
    }
}

extension CataloguePlace {
    init(_ value: YAMLValue, in file: String) {
        self.init(file: file, line: value.line, column: value.column)
    }
}
