import UpdateCore

/// Events for a terminal: one calm bar with speed and time left, and a line for everything unusual.
struct TerminalBar: ProgressRenderer {
    private static let tracks = 8...40
    private let columns: @Sendable () -> Int
    private var course: TransferCourse
    private var rate = 0.0

    /// The bar of an update that begins with `course`; `columns` is how wide the terminal is at that moment.
    init(
        _ course: TransferCourse,
        columns: @escaping @Sendable () -> Int = { TerminalSize.current.columns }
    ) {
        self.course = course
        self.columns = columns
    }

    mutating func render(_ event: UpdateEvent, at moment: Duration) -> [Rendering] {
        let isLast = course.phase == .transferring && course.isWhole
        course.note(event, at: moment)
        switch event {
        case .progress(_, _, let rate):
            self.rate = rate
            return [.bar(bar(pace(at: moment)))]
        case .phase(let phase):
            // The whole bar stays on the screen once the transfer is over.
            let whole: [Rendering] = isLast && phase != .transferring ? [.line(bar(nil))] : []
            let name = Talk.line(of: event, course) ?? ""
            return switch phase {
            case .connecting, .preparing, .transferring, .verifying: whole + [.bar(name)]
            case .enteringBootloader, .activating, .rebooting: whole + [.line(name), .bar("")]
            }
        default: return Talk.lines(of: event, course).map { .line($0) }
        }
    }

    mutating func tick(at moment: Duration) -> [Rendering] {
        guard let phase = course.phase, let silence = course.silence(at: moment) else { return [] }
        guard phase == .transferring, course.latest != nil, !course.isWhole else {
            return [.bar("\(Talk.name(of: phase, course)), \(Int(silence / .seconds(1))) s")]
        }
        return [.bar(bar(course.silenceText(silence)))]
    }

    private func pace(at moment: Duration) -> String {
        let left = course.secondsLeft(at: moment).map { "  ETA " + Quantities.countdown($0) } ?? ""
        return Quantities.speed(rate) + left
    }

    /// The bar with `more` at its end, as wide as the terminal lets it be.
    private func bar(_ more: String?) -> String {
        let sent = course.latest?.sent ?? 0
        let share = course.total > 0 ? Double(sent) / Double(course.total) : 1
        let percent = String(Int(share * 100))
        let text =
            String(repeating: " ", count: 3 - percent.count) + percent + " %  "
            + Quantities.part(sent, of: course.total) + (more.map { "  " + $0 } ?? "")
        // The longest text decides, so that the track keeps its width.
        let longest =
            "100 %  " + Quantities.part(course.total, of: course.total) + "  no answer for 30 s of 30"
        let room = min(columns() - 1 - longest.count - 3, Self.tracks.upperBound)
        guard room >= Self.tracks.lowerBound else { return text }
        let filled = Int(share * Double(room))
        let track = String(repeating: "#", count: filled) + String(repeating: ".", count: room - filled)
        return "[\(track)] \(text)"
    }
}
