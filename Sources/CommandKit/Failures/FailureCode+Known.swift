import Firmware
import Tray
package import UpdateModel
import Work

extension FailureCode {
    /// The code `name`; nil if this program does not know it.
    package static func known(_ name: String) -> FailureCode? { byName[name] }

    /// All codes by topic, sorted by name, the general topics first.
    package static let topics: [(title: String, codes: [FailureCode])] = {
        let vendors = KnownVendors.all.flatMap(\.failureCodes)
        let groups: [any FailureCodeGroup] =
            [command] + common + [release, catalogue, journal, tray, station, workServer, page] + vendors
        var titles: [FailureTopic] = []
        var codes: [FailureTopic: [FailureCode]] = [:]
        for (topic, code) in groups.flatMap(\.topics) {
            if codes[topic] == nil { titles.append(topic) }
            codes[topic, default: []].append(code)
        }
        return titles.map { ($0.title, (codes[$0] ?? []).sorted { $0.rawValue < $1.rawValue }) }
    }()

    package static let all = topics.flatMap(\.codes).sorted { $0.rawValue < $1.rawValue }

    private static let byName = Dictionary(all.map { ($0.rawValue, $0) }) { first, _ in first }
}
