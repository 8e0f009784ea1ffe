import Bytes
import Logging
import Tray

/// Diagnostics as lines of text: time in UTC with milliseconds, level, source, message, and metadata as `key=value`.
struct TextLogHandler: LogHandler {
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]
    let label: String
    let writer: OutputWriter
    let descriptor: Int32

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let more = metadata.merging(event.metadata ?? [:], uniquingKeysWith: { $1 })
        writer.put(Self.line(event, label, more) + "\n", to: descriptor, .diagnostic)
    }

    /// The line without a line end. Control characters in foreign text are escaped.
    static func line(_ event: LogEvent, _ label: String, _ metadata: Logger.Metadata) -> String {
        let pairs = metadata.sorted { $0.key < $1.key }.map { " \($0)=\(quoted("\($1)"))" }
        let text = "\(RecordedTime.now) \(event.level) \(label): \(event.message)" + pairs.joined()
        return VisibleText.escaped(text)
    }

    /// The value, in quotation marks if it is empty or contains spaces, `=` or quotation marks.
    private static func quoted(_ value: String) -> String {
        guard value.isEmpty || value.contains(where: { " =\"".contains($0) }) else { return value }
        return "\"" + value.replacing("\"", with: "\\\"") + "\""
    }
}
