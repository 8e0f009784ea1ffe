/// A metric with its values, in Prometheus' text format, version 0.0.4.
struct MetricFamily: Hashable, Sendable {
    /// Whether the value varies or only grows.
    enum Kind: String, Sendable { case gauge, counter }

    struct Sample: Hashable, Sendable {
        let labels: [(name: String, value: String)]
        let value: Double

        static func == (one: Sample, other: Sample) -> Bool { one.text == other.text }
        func hash(into hasher: inout Hasher) { hasher.combine(text) }

        /// The text after the metric's name.
        var text: String {
            let pairs = labels.map { "\($0.name)=\"\(MetricFamily.escaped($0.value))\"" }
            let number = value == value.rounded() && abs(value) < 1e15 ? "\(Int64(value))" : "\(value)"
            return (pairs.isEmpty ? "" : "{\(pairs.joined(separator: ","))}") + " \(number)\n"
        }
    }

    let name: String
    let kind: Kind
    let help: String
    var samples: [Sample] = []

    init(_ name: String, _ kind: Kind, _ help: String) {
        (self.name, self.kind, self.help) = ("beacon_dfu_" + name, kind, help)
    }

    mutating func add(_ value: Double, _ labels: KeyValuePairs<String, String> = [:]) {
        samples.append(Sample(labels: labels.map { ($0.key, $0.value) }, value: value))
    }

    mutating func add(_ value: Int, _ labels: KeyValuePairs<String, String> = [:]) {
        add(Double(value), labels)
    }

    /// The metric's lines; empty without values.
    var text: String {
        samples.isEmpty
            ? ""
            : "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
                + samples.map { name + $0.text }.joined()
    }

    /// An escaped label value: names are user input.
    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }
}
