import Simulation
import TransferBench

private let personalities = [
    SecurePersonality.sdk12_3, .sdk14_2, .sdk15_0, .sdk15_3, .sdk16_0, .sdk17_1,
]
/// Rows that are computed at the same time.
private let atOnce = 2

/// Tables whose name has all of `words`.
func reportSpeed(only words: [String] = []) async throws {
    print(
        "Secure DFU of 100000 bytes, simulated time. Bytes/s of 'ours' and what share of the ceiling that is;"
    )
    print(
        "of the fixed policies the share. '-N' packets were lost for want of room and sent again, 'fails' in the end."
    )
    for personality in personalities {
        for flash in NamedFlash.all {
            let name = "\(personality), \(flash.name) flash"
            guard words.allSatisfy(name.contains) else { continue }
            // A policy that loses no packet does not depend on the generation, so policies are shown once.
            let policies = [.sdk17_1, .sdk14_2].contains(personality) ? FixedPolicy.all : []
            try await report(personality, flash, policies)
        }
    }
}

private func report(
    _ personality: SecurePersonality, _ flash: NamedFlash, _ policies: [FixedPolicy]
) async throws {
    print("\n\(personality), \(flash.name) flash")
    let names = policies.map { $0.name.leftPadded(to: 21) }.joined()
    print("link".padded(to: 34) + "ceiling    ours        lost  limited by".padded(to: 40) + names)
    for row in try await rows(personality, flash, policies) { print(line(row)) }
}

private func rows(
    _ personality: SecurePersonality, _ flash: NamedFlash, _ policies: [FixedPolicy]
) async throws -> [Row] {
    // A bootloader limited to 20 bytes per packet is so on every link.
    let links = NamedLink.all.filter {
        personality.maximumMTU > 23 || ($0.mtu == 23 && $0.model.dataLength == 27)
    }
    return try await withThrowingTaskGroup(of: (Int, Row).self) { group in
        var found: [Int: Row] = [:]
        for (number, link) in links.enumerated() {
            if number >= atOnce, let (done, row) = try await group.next() { found[done] = row }
            group.addTask { (number, try await Row(link, flash, personality, among: policies)) }
        }
        for try await (number, row) in group { found[number] = row }
        return links.indices.compactMap { found[$0] }
    }
}

private func line(_ row: Row) -> String {
    let ceiling = row.ceiling.bytesPerSecond
    let ours =
        "\(Int(ceiling))".leftPadded(to: 7) + "\(Int(row.ours.bytesPerSecond))".leftPadded(to: 8)
        + " " + share(row.ours, ceiling).leftPadded(to: 7) + "\(row.ours.lost)".leftPadded(to: 6)
        + "  \(row.ours.failure ?? row.ours.limit ?? "")".padded(to: 11)
    return row.link.name.padded(to: 34) + ours
        + row.fixed.map { share($0, ceiling).leftPadded(to: 21) }.joined()
}

/// Tenths of a per cent, without rounding up.
func share(_ result: TransferResult, _ ceiling: Double) -> String {
    guard result.failure == nil else { return result.lost > 0 ? "-\(result.lost), fails" : "fails" }
    let tenths = Int(result.bytesPerSecond / ceiling * 1000)
    let text = "\(tenths / 10).\(tenths % 10) %"
    return result.lost > 0 ? "-\(result.lost), \(text)" : text
}

/// The terms of the ceilings, per flash and link.
func reportTerms() {
    print("\nTerms of the ceiling, SDK 17.1, in milliseconds: air + answers + flash = total;")
    print("flash is what erasing and writing add beyond what overlaps with the others.")
    for flash in NamedFlash.all {
        print("\n\(flash.name) flash")
        print("link".padded(to: 36) + "air  answers (requests)    flash   of erasing + writing    total")
        for link in NamedLink.all {
            var bench = TransferBench()
            bench.timing = flash.timing
            bench.link = link.model
            bench.maximumMTU = link.mtu
            print(link.name.padded(to: 34) + terms(bench.ceiling))
        }
    }
}

private func terms(_ terms: TransferCeiling) -> String {
    func milliseconds(_ length: Duration) -> String { "\(Int((length / .milliseconds(1)).rounded()))" }
    return milliseconds(terms.air).leftPadded(to: 6) + milliseconds(terms.answers).leftPadded(to: 9)
        + "(\(terms.requests))".leftPadded(to: 11) + milliseconds(terms.flash).leftPadded(to: 9)
        + "\(milliseconds(terms.erasing)) + \(milliseconds(terms.writing))".leftPadded(to: 23)
        + milliseconds(terms.total).leftPadded(to: 9)
}
