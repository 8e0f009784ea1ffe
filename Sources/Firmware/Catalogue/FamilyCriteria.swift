import Bytes

/// What a device has to report to belong to a family. Criteria that are nil do not apply; at least one is not nil.
package struct FamilyCriteria: Hashable, Sendable {
    package let maker: String?
    package let family: String?
    /// A pattern for the model.
    package let model: String?
    /// The number of the model, as in the frames.
    package let number: Int?
    /// A pattern for the name.
    package let name: String?

    static let keys = ["maker", "family", "model", "number", "name"]

    /// How a device compares with the criteria.
    enum Answer: Equatable {
        /// The device meets all criteria; their number.
        case yes(Int)
        /// The device fails a criterion, or none of the facts is known: such a device would match every family.
        case no
        /// The known facts match, and the facts `missing` are not known yet; `of` is the number of all criteria.
        case undecided(missing: [String], of: Int)
    }

    func answer(of device: CatalogueDevice) -> Answer {
        let results = results(for: device)
        guard !results.contains(where: { $0.fits == false }) else { return .no }
        let missing = results.filter { $0.fits == nil }.map(\.name)
        if missing.isEmpty { return .yes(results.count) }
        return missing.count < results.count ? .undecided(missing: missing, of: results.count) : .no
    }

    /// Whether the maker or family matches, but another criterion does not.
    func isRelated(to device: CatalogueDevice) -> Bool {
        let results = results(for: device)
        return results.contains { ["maker", "family"].contains($0.name) && $0.fits == true }
            && results.contains { $0.fits == false }
    }

    /// Each criterion that applies, and whether the device meets it; nil if that is unknown.
    private func results(for device: CatalogueDevice) -> [(name: String, fits: Bool?)] {
        let all: [(name: String, fits: Bool?)?] = [
            maker.map { wanted in ("maker", device.maker.map { $0 == wanted }) },
            family.map { wanted in ("family", isOf(wanted, device)) },
            model.map { wanted in ("model", device.model.map { Self.fits($0, wanted) }) },
            number.map { wanted in ("number", device.number.map { $0 == wanted }) },
            name.map { wanted in ("name", device.name.map { Self.fits($0, wanted) }) },
        ]
        return all.compactMap(\.self)
    }

    /// Whether the device belongs to this family; nil if that is not certain yet.
    private func isOf(_ wanted: String, _ device: CatalogueDevice) -> Bool? {
        if device.family == wanted { return true }
        return device.family == nil || device.familyMayChange ? nil : false
    }

    /// Whether `text` matches `pattern`, ignoring case.
    static func fits(_ text: String, _ pattern: String) -> Bool {
        Glob(pattern.lowercased()).matches(text.lowercased())
    }

    /// Whether both have equally many criteria, share at least one, and a device can meet both.
    func overlaps(_ other: FamilyCriteria) -> Bool {
        func agree<Fact: Equatable>(_ one: Fact?, _ two: Fact?) -> Bool {
            one == nil || two == nil || one == two
        }
        let (own, others) = (given, other.given)
        return zip(own, others).contains { $0 && $1 }
            && own.count(where: \.self) == others.count(where: \.self)
            && agree(maker, other.maker) && agree(family, other.family) && agree(number, other.number)
            && Self.patternsOverlap(model, other.model)
            && Self.patternsOverlap(name, other.name)
    }

    /// Whether one text can match both patterns, ignoring case; nil matches everything.
    static func patternsOverlap(_ one: String?, _ other: String?) -> Bool {
        guard let one, let other else { return true }
        return Glob(one.lowercased()).overlaps(Glob(other.lowercased()))
    }

    /// Which of the ``keys`` apply.
    private var given: [Bool] { [maker != nil, family != nil, model != nil, number != nil, name != nil] }

    /// The criteria that apply, in the order of the format's documentation.
    var members: [(key: String, value: String)] {
        zip(Self.keys, [maker, family, model, number.map { "\($0)" }, name])
            .compactMap { key, value in value.map { (key, $0) } }
    }
}
