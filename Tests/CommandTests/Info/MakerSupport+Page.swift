import Firmware
import UpdateModel

@testable import RadioCommands

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
            lines.append("| \(row.title) | `\(row.family)` | \(cells.joined(separator: " | ")) |")
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
        for row in all {
            guard let maker = Family.allCases.first(where: { $0.rawValue == row.family })?.maker,
                !makers.contains(maker)
            else { continue }
            makers.append(maker)
        }
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

extension MakerSupport.Verification {
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

extension MakerSupport.Feature {
    fileprivate var command: String {
        switch self {
        case .scan: "scan"
        case .query: "info"
        case .settingsRead: "config read"
        case .settingsWritten: "config write"
        case .password: "config password"
        case .blink: "blink"
        case .records: "history-read"
        case .updated: "flash"
        }
    }
}

extension MakerSupport.Answer {
    fileprivate var text: String {
        switch self {
        case .proven(let proofs):
            MakerSupport.Verification.allCases.filter(proofs.contains).map(\.rawValue).joined(separator: ", ")
        case .none: "–"
        case .vendorOnly: "vendor only"
        case .notPublic: "not public"
        case .notDone: "not done"
        }
    }
}
