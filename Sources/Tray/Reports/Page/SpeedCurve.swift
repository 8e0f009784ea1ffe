import Bytes

/// The rate at which an attempt's firmware was accepted, as a small curve.
struct SpeedCurve: Sendable {
    /// More points would exceed the picture's resolution.
    private static let mostPoints = 60
    private let speeds: [AttemptRecord.Speed]
    /// The average of the whole transfer, which may exceed every point: the points also include the pauses between
    /// objects.
    private let average: Double

    /// The curve of `attempt`.
    init(_ attempt: AttemptRecord) {
        (speeds, average) = (attempt.speeds, attempt.transfer?.average ?? 0)
    }

    /// The picture; none if there are too few points.
    var picture: HTML {
        guard speeds.count > 2, let first = speeds.first?.at, let last = speeds.last?.at, last > first else {
            return .none
        }
        let most = max(1, average, speeds.map(\.bytesPerSecond).max() ?? 1)
        let step = (speeds.count + Self.mostPoints - 1) / Self.mostPoints
        let points = stride(from: 0, to: speeds.count, by: step).map { start -> String in
            let group = speeds[start..<min(start + step, speeds.count)]
            let mean = group.reduce(0) { $0 + $1.bytesPerSecond } / Double(group.count)
            let x = (group[start].at - first) / (last - first) * 200
            return "\(Figures.whole(x)),\(30 - Figures.whole(mean / most * 28))"
        }
        return .single("br")
            + .element(
                "svg",
                [
                    .class("curve"), .init("viewBox", "0 0 200 30"), .init("preserveAspectRatio", "none"),
                    .init("role", "img"),
                    .init("aria-label", "speed, at most \(Figures.speed(most))"),
                ], [.single("polyline", [.init("points", points.joined(separator: " "))])])
            + .element("small", [], [HTML(" at most \(Figures.speed(most))")])
    }
}
