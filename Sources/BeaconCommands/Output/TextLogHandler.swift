import FoundationEssentials
import Glibc
import Logging

/// Diagnostics as lines of text: time in UTC, level, source, message.
struct TextLogHandler: LogHandler {
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]
    let label: String
    let descriptor: Int32

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var line = "\(Date.now.formatted(.iso8601)) \(event.level) \(label): \(event.message)"
        for (key, value) in metadata.merging(event.metadata ?? [:], uniquingKeysWith: { $1 })
            .sorted(by: { $0.key < $1.key })
        {
            line += " \(key)=\(value)"
        }
        let bytes = Array((line + "\n").utf8)
        _ = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    }
}
