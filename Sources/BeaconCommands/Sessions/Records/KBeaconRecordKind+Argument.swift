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
        case .light: "light"
        case .voc: "voc"
        case .carbonDioxide: "co2"
        }
    }

    /// What the columns of its records are called.
    var columns: [String] {
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
