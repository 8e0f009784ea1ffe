import UpdateCore

/// Events for a terminal: one calm bar with speed and time left, and a line for everything unusual.
struct TerminalBar: ProgressRenderer {
    private static let width = 30
    private var average: Double?
    private var awaited: Awaited

    /// The bar of an update that ends with what is `awaited`.
    init(_ awaited: Awaited = Awaited()) { self.awaited = awaited }

    mutating func render(_ event: UpdateEvent) -> [Rendering] {
        awaited.note(event)
        switch event {
        case .progress(let sent, let total, let rate): return [.bar(bar(sent, total, rate))]
        case .speed(let speeds):
            average = speeds.average
            return []
        case .phase(.connecting), .phase(.preparing), .phase(.transferring), .phase(.verifying):
            return [.bar(Talk.line(of: event, awaited) ?? "")]
        default: return Talk.line(of: event, awaited).map { [.line($0)] } ?? []
        }
    }

    private func bar(_ sent: Int, _ total: Int, _ rate: Double) -> String {
        let share = total > 0 ? Double(sent) / Double(total) : 1
        let filled = Int(share * Double(Self.width))
        let track =
            String(repeating: "#", count: filled) + String(repeating: ".", count: Self.width - filled)
        // The average is steadier than the last second, once there is one.
        let pace = average ?? rate
        let left = pace > 0 ? "ETA " + Quantities.countdown(Double(total - sent) / pace) : ""
        let percent = String(Int(share * 100))
        let padding = String(repeating: " ", count: 3 - percent.count)
        return
            "[\(track)] \(padding)\(percent) %  \(Quantities.bytes(sent))  \(Quantities.speed(rate))  \(left)"
    }
}
