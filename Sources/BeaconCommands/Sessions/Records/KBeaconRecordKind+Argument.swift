import ArgumentParser
import KBeacon

extension KBeaconRecordKind: ExplainedArgument {
    init?(argument: String) {
        guard let kind = Self.allCases.first(where: { $0.name == argument }) else { return nil }
        self = kind
    }

    static func flaw(in text: String) -> String {
        "records are of \(allCases.map(\.name).joined(separator: ", "))"
    }

    /// Its name.
    var name: String {
        switch self {
        case .humidity: "humidity"
        case .alarm: "alarm"
        case .pir: "pir"
        }
    }

    /// What the columns of its records are called.
    var columns: [String] {
        let own = self == .humidity ? ["temperature_celsius", "humidity_percent"] : ["state"]
        return ["record", "time_raw", "time"] + own
    }
}
