/// What this program supports for beacons of one kind, and how that was verified: a row of docs/makers.md.
public struct MakerSupport: Sendable {
    /// How the implementation of a feature was verified.
    public enum Verification: String, CaseIterable, Sendable {
        /// The maker's own document.
        case document
        /// The maker's own public source code.
        case source
        /// Other public clients, whose authors have such beacons.
        case clients
        /// The simulated beacon, which shares no code with the client.
        case simulated
        /// A simulated beacon in another programming language, written from public sources alone, over a real kernel.
        case peripheral
    }

    /// The columns of docs/makers.md, by their titles.
    public enum Feature: String, CaseIterable, Sendable {
        case scan = "heard"
        case query = "asked"
        case settingsRead = "settings read"
        case settingsWritten = "settings written"
        case password = "password changed"
        case blink = "shown"
        case records
        case updated
    }

    public enum Answer: Sendable {
        case proven(Set<Verification>)
        /// Such beacons do not have the feature.
        case none
        /// Only the maker can do it, with the account that owns the beacon.
        case vendorOnly
        /// The way to do it is not public.
        case notPublic
        /// The way to do it is public, but not implemented.
        case notDone
    }

    /// Something that is not public, and what is needed to support it.
    public struct Gap: Sendable {
        public let what: String
        public let needed: String

        public init(_ what: String, needed: String) { (self.what, self.needed) = (what, needed) }
    }

    /// The name of the family, by its frames.
    public let family: String
    public let title: String
    /// The declared answers; ``answer(to:)`` covers all features.
    public let answers: [Feature: Answer]
    public let gaps: [Gap]

    public init(_ family: String, title: String, _ answers: [Feature: Answer], gaps: [Gap]) {
        (self.family, self.title, self.answers, self.gaps) = (family, title, answers, gaps)
    }

    /// Whether `feature` is supported; `none` if nothing was declared.
    public func answer(to feature: Feature) -> Answer { answers[feature] ?? .none }

    /// The answers for beacons whose settings and firmware only the maker can change.
    package static func vendorOnly(_ scan: Answer, query: Answer = .vendorOnly) -> [Feature: Answer] {
        [
            .scan: scan, .query: query, .settingsRead: .vendorOnly, .settingsWritten: .vendorOnly,
            .updated: .vendorOnly,
        ]
    }
}

extension MakerSupport.Gap {
    /// The gap of beacons that only the maker's own servers can change.
    package static let account = MakerSupport.Gap(
        "settings and updates",
        needed: "the maker's consent, and an account that owns beacons to try it with")
}
