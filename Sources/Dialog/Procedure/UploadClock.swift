struct UploadClock: Equatable, Sendable {
    var updateStart: Duration?
    /// The first length, or the first packet.
    var uploadStart: Duration?
    /// The first packet of the current block.
    var blockStart: Duration?
    var uploadEnd: Duration?
    var end: Duration?

    mutating func uploadEnded(at moment: Duration) { (end, uploadEnd) = (moment, moment) }

    /// Seconds of the whole update, and of the upload.
    var lengths: (update: Double?, upload: Double?) {
        func length(_ start: Duration?, _ end: Duration?) -> Double? {
            start.flatMap { start in end.map { ($0 - start) / .seconds(1) } }
        }
        return (length(updateStart, end), length(uploadStart, uploadEnd))
    }

    /// The time from `start` to the last response; nil if one of them is unknown.
    func seconds(since start: Duration?) -> String? {
        guard let start, let end else { return nil }
        let milliseconds = max(0, Int((end - start) / .milliseconds(1)))
        let rest = String(milliseconds % 1000)
        return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest + " s"
    }

    func rate(_ count: Int) -> Int? {
        guard let blockStart, let end, end > blockStart else { return nil }
        return Int(Double(count) / ((end - blockStart) / .seconds(1)))
    }
}
