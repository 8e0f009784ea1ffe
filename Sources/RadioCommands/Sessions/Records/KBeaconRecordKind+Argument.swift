import ArgumentParser
import CommandKit
import KKM

extension KBeaconRecordKind: ExplainedArgument {
    package init?(argument: String) {
        guard let kind = Self.allCases.first(where: { $0.name == argument }) else { return nil }
        self = kind
    }

    package static func flaw(in text: String) -> String {
        "kinds of records are \(allCases.map(\.name).joined(separator: ", "))"
    }

    /// The name on the command line.
    package var name: String {
        switch self {
        case .humidity: "humidity"
        case .alarm: "alarm"
        case .pir: "pir"
        case .light: "light"
        case .voc: "voc"
        case .carbonDioxide: "co2"
        }
    }

    /// The names of the columns of its records.
    package var columns: [String] {
        let climate = ["temperature_celsius", "humidity_percent"]
        let own =
            switch self {
            case .humidity: climate
            case .alarm, .pir: ["state"]
            case .light: ["type", "lux"]
            case .voc: ["voc_index", "nox_index"]
            case .carbonDioxide: ["co2_ppm"] + climate
            }
        return ["record", "time_raw", "time"] + own
    }
}
