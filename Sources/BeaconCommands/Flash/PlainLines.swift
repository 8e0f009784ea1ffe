import UpdateCore

/// Events as lines for a pipe or a log: progress at every tenth of the way.
struct PlainLines: ProgressRenderer {
    /// How often a silence is reported.
    private static let reminder = Duration.seconds(10)
    private var lastTenth = 0
    private var told = Duration.zero
    private var course: TransferCourse

    /// Lines of an update that begins with `course`.
    init(_ course: TransferCourse) { self.course = course }

    mutating func render(_ event: UpdateEvent, at moment: Duration) -> [Rendering] {
        course.note(event, at: moment)
        told = .zero
        switch event {
        case .progress(let sent, let total, let rate):
            let tenth = total > 0 ? sent * 10 / total : 0
            defer { lastTenth = tenth }
            guard tenth != lastTenth else { return [] }
            return [
                .line(
                    "\(total > 0 ? sent * 100 / total : 100) %, \(Quantities.bytes(sent)) of \(Quantities.bytes(total)), "
                        + Quantities.speed(rate))
            ]
        case .speed, .steadySpeed, .currentSpeed: return []
        default: return Talk.lines(of: event, course).map { .line($0) }
        }
    }

    mutating func tick(at moment: Duration) -> [Rendering] {
        guard course.phase == .transferring, let silence = course.silence(at: moment),
            silence - told >= Self.reminder
        else { return [] }
        told = silence
        return [.line(course.silenceText(silence))]
    }
}
