import UpdateModel

enum Figures {
    /// The number with at most three decimals, without trailing zeros.
    static func plain(_ value: Double) -> String {
        let thousandths = whole(abs(value) * 1000)
        var rest = String(1000 + thousandths % 1000).dropFirst()
        while rest.last == "0" { rest.removeLast() }
        let sign = value < 0 && thousandths > 0 ? "-" : ""
        return sign + "\(thousandths / 1000)" + (rest.isEmpty ? "" : "." + rest)
    }

    static func decimal(_ value: Double) -> String {
        let tenths = whole(max(0, value) * 10)
        return "\(tenths / 10).\(tenths % 10)"
    }

    /// A share in percent, with a space before the sign that does not break a line.
    static func percent(_ share: Double) -> String { "\(Percentage(share).number)\u{A0}%" }

    static func speed(_ bytesPerSecond: Double) -> String { "\(decimal(bytesPerSecond / 1000)) kB/s" }

    static func duration(_ seconds: Double) -> String {
        guard seconds >= 60 else { return "\(decimal(seconds)) s" }
        let whole = whole(seconds)
        let two = { (value: Int) in value < 10 ? "0\(value)" : "\(value)" }
        return whole < 3600
            ? "\(whole / 60):\(two(whole % 60)) min"
            : "\(whole / 3600):\(two(whole / 60 % 60)):\(two(whole % 60)) h"
    }

    /// The nearest whole number; 0 for values that are not finite.
    static func whole(_ value: Double) -> Int {
        value.isFinite ? Int(max(-1e15, min(1e15, value)).rounded()) : 0
    }

    static func count(_ count: Int, _ word: String) -> String { "\(count) \(word)\(count == 1 ? "" : "s")" }
}

extension UnitOutcome {
    var words: String { self == .error ? "bench error" : rawValue.replacing("-", with: " ") }
}

/// The status of a unit in a report, which calls a unit without an outcome open.
extension UnitStatus {
    /// The statuses that occur in reports, the worst first.
    static let ofReports = allCases.filter { $0 == .waiting || $0.outcome != nil }

    var letter: String { outcome.map { String($0.letter) } ?? "O" }
    var words: String { outcome?.words ?? "open" }
    func count(_ count: Int) -> String { "\(count) \(words)" + (self == .error && count != 1 ? "s" : "") }
    /// The status's name in the page's style sheet and script.
    var name: String { outcome?.rawValue ?? "open" }
    var rankInReports: Int { Self.ofReports.firstIndex(of: self) ?? 0 }
    var isGood: Bool { outcome?.isGood ?? false }
}
