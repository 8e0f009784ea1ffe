import Feasycom
import Firmware
import Identity
import KKM
import Orange
import UpdateModel

/// The features that this program supports for beacons of one kind, and their verification: a row of docs/makers.md.
struct MakerSupport: Sendable {
    /// How the implementation of a feature was verified.
    enum Verification: String, CaseIterable, Sendable {
        /// The maker's own document.
        case document
        /// The maker's own public source code.
        case source
        /// Other public clients, whose authors have such beacons.
        case clients
        /// The simulated beacon, which shares no code with the client.
        case simulated
        /// A beacon in another language, written from public sources alone, over a real kernel.
        case peripheral

        /// The explanation in the legend of the page.
        fileprivate var legend: String {
            switch self {
            case .document: "described in a document of the maker"
            case .source: "implemented in the maker's public source code"
            case .clients: "implemented in others' public clients, whose authors have such beacons"
            case .simulated: "tested with the simulated beacon, which shares no code with the client"
            case .peripheral:
                "tested over a real Linux kernel with a beacon in Python, written from public sources alone "
                    + "(`Tests/KernelBench`)"
            }
        }
    }

    /// A feature of beacons.
    enum Feature: String, CaseIterable, Sendable {
        case heard
        case asked
        case settingsRead = "settings read"
        case settingsWritten = "settings written"
        case password = "password changed"
        case shown
        case records
        case updated

        /// The command for the feature.
        fileprivate var command: String {
            switch self {
            case .heard: "scan"
            case .asked: "info"
            case .settingsRead: "config read"
            case .settingsWritten: "config write"
            case .password: "config password"
            case .shown: "blink"
            case .records: "history-read"
            case .updated: "flash"
            }
        }
    }

    /// Whether a feature is supported.
    enum Answer: Sendable {
        case proven(Set<Verification>)
        /// Such beacons do not have the feature.
        case none
        /// Only the maker can, with the account that owns the beacon.
        case vendorOnly
        /// The way to do it is not public.
        case notPublic
        /// The way to do it is public, but not implemented.
        case notDone

        /// The cell of the table.
        fileprivate var text: String {
            switch self {
            case .proven(let proofs):
                Verification.allCases.filter(proofs.contains).map(\.rawValue).joined(separator: ", ")
            case .none: "–"
            case .vendorOnly: "vendor only"
            case .notPublic: "not public"
            case .notDone: "not done"
            }
        }
    }

    /// Something that is not public, and what is needed to support it.
    struct Gap: Sendable {
        let what: String
        let needed: String
    }

    let family: Family
    let title: String
    let answers: [Feature: Answer]
    let gaps: [Gap]

    /// The row of `family`; nil if nothing is known about the maker.
    static func of(_ family: Family) -> MakerSupport? { all.first { $0.family == family } }

    func answer(to feature: Feature) -> Answer { answers[feature] ?? .none }
}

extension MakerSupport {
    private static let session: Set<Verification> = [.source, .clients, .simulated, .peripheral]
    private static let clientsTried: Set<Verification> = [.clients, .simulated, .peripheral]
    private static let cloud = "the maker's consent, and an account that owns beacons to try it with"

    /// A row for each maker's kind of beacon.
    static let all: [MakerSupport] = [
        MakerSupport(
            family: .kkm, title: "KKM KBeacon",
            answers: [
                .heard: .proven([.document, .source, .simulated, .peripheral]), .asked: .proven(session),
                .settingsRead: .proven([.source, .simulated, .peripheral]),
                .settingsWritten: .proven([.source, .simulated]),
                .password: .proven([.source, .simulated]), .shown: .proven(session),
                .records: .proven([.source, .simulated, .peripheral]),
                .updated: .proven([.source, .clients, .simulated, .peripheral]),
            ],
            gaps: [
                Gap(
                    what: "the models of the numbers in the frames",
                    needed: "KKM's table, or the frames of beacons whose model is known"),
                Gap(
                    what: "the bootloader's address for a beacon with a public address",
                    needed: "a recording of an update of one"),
                Gap(
                    what: "whether settings survive an update, and whether wrong passwords are counted",
                    needed: "a beacon to try it with"),
            ]),
        MakerSupport(
            family: .kkmOld, title: "KKM KBeacon, before 2019",
            answers: [.heard: .proven([.clients, .simulated]), .asked: .notPublic, .updated: .notPublic],
            gaps: [
                Gap(
                    what: "settings and updates over the service EE0C2080",
                    needed: "a beacon, and a recording of KKM's application with it")
            ]),
        MakerSupport(
            family: .feasycom, title: "Feasycom FeasyBeacon",
            answers: [
                .heard: .proven([.document, .clients, .simulated, .peripheral]),
                .asked: .proven(clientsTried), .settingsRead: .proven(clientsTried),
                .settingsWritten: .proven(clientsTried), .password: .notDone,
                .shown: .proven([.clients, .simulated, .peripheral]),
                .records: .notPublic, .updated: .proven([.simulated, .peripheral]),
            ],
            gaps: [
                Gap(
                    what: "frames of sensors (temperature, humidity, acceleration)",
                    needed: "a recording, with the values that the maker's application shows"),
                Gap(
                    what: "the power at 1 m that the maker measured for each model",
                    needed: "the maker's table, or a measurement"),
                Gap(
                    what: "the interval and the power of single broadcasts",
                    needed: "a recording of the maker's application setting them"),
                Gap(
                    what: "the exchange by which the maker's application proves a PIN",
                    needed: "the maker's description; a plain PIN works where a beacon takes one"),
                Gap(
                    what: "the contents of the maker's own .dfu files, which are encrypted",
                    needed: "the maker's application; this program recognises them and never decrypts them"),
            ]),
        MakerSupport(
            family: .orangeTag, title: "Orange Beacon Tag",
            answers: [
                .heard: .proven([.source, .simulated]), .asked: .proven([.source, .simulated, .peripheral]),
                .settingsRead: .proven([.source, .simulated, .peripheral]),
                .settingsWritten: .proven([.source, .simulated, .peripheral]), .updated: .notPublic,
            ],
            gaps: [
                Gap(
                    what: "updates of its firmware",
                    needed: "a package, and a recording of an update, if there are any")
            ]),
        MakerSupport(
            family: .kontakt, title: "Kontakt.io",
            answers: [
                .heard: .proven([.document, .source, .simulated]), .asked: .proven([.document, .simulated]),
                .settingsRead: .vendorOnly, .settingsWritten: .vendorOnly, .updated: .vendorOnly,
            ], gaps: [Gap(what: "settings and updates", needed: cloud)]),
        MakerSupport(
            family: .estimote, title: "Estimote beacon",
            answers: [
                .heard: .proven([.source, .simulated]), .asked: .vendorOnly, .settingsRead: .vendorOnly,
                .settingsWritten: .vendorOnly, .updated: .vendorOnly,
            ],
            gaps: [
                Gap(
                    what: "the packet with which its application connects", needed: "the maker's description"),
                Gap(what: "settings and updates", needed: cloud),
            ]),
        MakerSupport(
            family: .nearable, title: "Estimote sticker",
            answers: [
                .heard: .proven([.source, .simulated]), .asked: .vendorOnly, .settingsRead: .vendorOnly,
                .settingsWritten: .vendorOnly, .updated: .vendorOnly,
            ], gaps: [Gap(what: "settings and updates", needed: cloud)]),
        MakerSupport(
            family: .aSensor, title: "AprilBrother ASensor",
            answers: [
                .heard: .proven([.document, .simulated]), .asked: .proven([.document, .simulated]),
                .settingsRead: .notPublic, .settingsWritten: .notPublic,
                .updated: .proven([.document, .simulated, .peripheral]),
            ],
            gaps: [
                Gap(what: "settings", needed: "the maker's description, or a recording of its application")
            ]),
    ]
}

extension MakerSupport {
    /// The page docs/makers.md, from its table on.
    static var page: String {
        let features = Feature.allCases
        var lines = [
            "| beacons | `scan` calls them | " + features.map(\.rawValue).joined(separator: " | ") + " |",
            "|---|---|" + String(repeating: "---|", count: features.count),
            "| | | " + features.map { "`\($0.command)`" }.joined(separator: " | ") + " |",
        ]
        for row in all {
            let cells = features.map { row.answer(to: $0).text }
            lines.append("| \(row.title) | `\(row.family.rawValue)` | \(cells.joined(separator: " | ")) |")
        }
        lines += ["", "| word | what it means |", "|---|---|"]
        lines += Verification.allCases.map { "| \($0.rawValue) | \($0.legend) |" }
        lines += [
            "| vendor only | only the maker can, with the account that owns the beacon |",
            "| not public | how to do it is not public |",
            "| not done | public, but not implemented in this program |",
            "| – | such beacons do not have this |", "", "## What is not public", "",
            "| beacons | what | what would be needed |", "|---|---|---|",
        ]
        for row in all { lines += row.gaps.map { "| \(row.title) | \($0.what) | \($0.needed) |" } }
        lines += ["", "## Which files they take", "", "| maker | kinds of files |", "|---|---|"]
        var makers: [Maker] = []
        for maker in all.compactMap(\.family.maker) where !makers.contains(maker) { makers.append(maker) }
        for maker in makers {
            let kinds = KnownVendors.kinds(ofMaker: maker.rawValue)?.map { "`\($0.rawValue)`" }
            let way = maker.vendorWay.map { "none: \($0)" }
            lines.append(
                "| \(maker.title) | \(kinds?.joined(separator: ", ") ?? way ?? "any kind over its standard service") |"
            )
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
