public import Bluetooth
public import Bytes

/// Passwords and PINs of beacons, by owner (docs/formats/secrets.md).
///
///     secrets: 1
///     devices: { "BC:57:29:02:45:9F": …, "id:KBPro-7": … }
///     models: { "K6_NRF52XX": … }
///     vendors: { kkm: … }
public struct SecretsFile: Sendable {
    /// The beacons that an entry applies to.
    public enum Owner: Hashable, Sendable {
        case address(DeviceAddress)
        /// The vendor's id of one beacon, in lower case.
        case id(String)
        /// All beacons of a model, by its name in lower case.
        case model(String)
        case vendor(String)
    }

    public struct Entry: Sendable {
        public let owner: Owner
        public let key: String
        public let line: Int
        public let secret: Secret
    }

    private static let keys = ["secrets"] + Section.allCases.map(\.rawValue)
    /// The most bytes of a password or PIN that are read; no beacon allows so many.
    static let longest = 64

    public let entries: [Entry]
    private let secrets: [Owner: Secret]

    public init() { (entries, secrets) = ([], [:]) }

    /// Parses a file, which may have secrets for all beacons of one of the `vendors`. Errors have a position, and never
    /// quote the content.
    public init(parsing text: [UInt8], vendors: [String]) throws(YAMLProblem) {
        do throws(YAMLProblem) {
            let root = try YAMLValue(parsing: text)
            let values = try root.values(of: Self.keys)
            try root.requireVersion("secrets", in: values)
            var entries: [Entry] = []
            for section in Section.allCases {
                for member in try values[section.rawValue]?.members() ?? [] {
                    entries.append(try Entry(member, in: section, vendors))
                }
            }
            var secrets: [Owner: Secret] = [:]
            for entry in entries {
                guard secrets.updateValue(entry.secret, forKey: entry.owner) == nil else {
                    throw root.problem("line \(entry.line) repeats an earlier entry")
                }
            }
            (self.entries, self.secrets) = (entries, secrets)
        } catch { throw error.withoutContent(but: Set(Self.keys + vendors)) }
    }

    /// The secret of a beacon: by its address or id, otherwise by its model, otherwise by its vendor.
    public func secret(of address: DeviceAddress, id: String?, model: String?, vendor: String) -> Secret? {
        let owners: [Owner?] = [
            DeviceAddress(address.bytes).map { .address($0) }, id.map { .id($0.lowercased()) },
            model.map { .model($0.lowercased()) },
            .vendor(vendor),
        ]
        return owners.lazy.compactMap(\.self).compactMap { secrets[$0] }.first
    }

    fileprivate enum Section: String, CaseIterable {
        case devices
        case models
        case vendors
    }
}

extension SecretsFile.Owner {
    fileprivate static func device(_ member: YAMLValue.Member) throws(YAMLProblem) -> Self {
        if member.key.hasPrefix("id:"), member.key.count > 3 {
            return .id(member.key.dropFirst(3).lowercased())
        }
        // A beacon's label does not distinguish the two kinds of addresses.
        guard let address = DeviceAddress(member.key) else {
            throw member.place.problem("an address, or 'id:' and the vendor's id, is expected here")
        }
        return .address(address)
    }
}

extension SecretsFile.Entry {
    fileprivate init(
        _ member: YAMLValue.Member, in section: SecretsFile.Section, _ vendors: [String]
    ) throws(YAMLProblem) {
        let text = try member.value.text()
        guard (1...SecretsFile.longest).contains(text.utf8.count) else {
            throw member.value.problem("a password or PIN needs 1 to \(SecretsFile.longest) bytes")
        }
        let owner: SecretsFile.Owner
        switch section {
        case .devices: owner = try .device(member)
        case .models: owner = .model(member.key.lowercased())
        case .vendors:
            guard vendors.contains(member.key) else { throw member.unknown(vendors) }
            owner = .vendor(member.key)
        }
        self.init(owner: owner, key: member.key, line: member.place.line, secret: Secret(text))
    }
}
