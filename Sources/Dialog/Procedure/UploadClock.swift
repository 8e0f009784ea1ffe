/// The moments of an attempt, on the clock of ``CommandTimes``; nil while unknown.
struct UploadClock: Equatable, Sendable {
    var updateStart: Duration?
    /// When the first block length was written, or over a channel the first packet.
    var uploadStart: Duration?
    /// When the first packet of the current block was sent.
    var blockStart: Duration?
    var uploadEnd: Duration?
    /// When the last response came.
    var end: Duration?

    mutating func uploadEnded(at moment: Duration) { (end, uploadEnd) = (moment, moment) }

    /// The seconds that the whole update and its upload took; nil while a moment is unknown.
    var lengths: (update: Double?, upload: Double?) {
        func length(_ start: Duration?, _ end: Duration?) -> Double? {
            start.flatMap { start in end.map { ($0 - start) / .seconds(1) } }
        }
        return (length(updateStart, end), length(uploadStart, uploadEnd))
    }

    /// The text of the time from `start` to the last response; nil if one of the two is unknown.
    func seconds(since start: Duration?) -> String? {
        guard let start, let end else { return nil }
        let milliseconds = max(0, Int((end - start) / .milliseconds(1)))
        let rest = String(milliseconds % 1000)
        return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest + " s"
    }

    /// The bytes per second of the current block of `count` bytes; nil if a moment is unknown.
    func rate(_ count: Int) -> Int? {
        guard let blockStart, let end, end > blockStart else { return nil }
        return Int(Double(count) / ((end - blockStart) / .seconds(1)))
    }
}
