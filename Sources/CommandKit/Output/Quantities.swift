import Bytes
import Tray

/// Sizes, speeds and times for people.
package enum Quantities {
    package static func bytes(_ count: Int) -> String {
        count < 1000 ? "\(count) B" : "\(decimal(Double(count) / 1000)) kB"
    }

    /// The number of things called `word`, which takes an s for more than one.
    package static func count(_ count: Int, _ word: String) -> String {
        "\(count) \(word)\(count == 1 ? "" : "s")"
    }

    /// An amount of disk space, in MB or GB.
    package static func diskSpace(_ bytes: Int) -> String {
        bytes < 1_000_000_000
            ? "\(decimal(Double(bytes) / 1_000_000)) MB" : "\(decimal(Double(bytes) / 1_000_000_000)) GB"
    }

    /// `count` of `total` bytes, such as `1.2 of 3.4 kB`: a unit that both have is written once.
    package static func part(_ count: Int, of total: Int) -> String {
        count >= 1000 && total >= 1000
            ? "\(decimal(Double(count) / 1000)) of \(bytes(total))" : "\(bytes(count)) of \(bytes(total))"
    }

    package static func speed(_ bytesPerSecond: Double) -> String {
        bytesPerSecond < 1000 ? "\(Int(bytesPerSecond)) B/s" : "\(decimal(bytesPerSecond / 1000)) kB/s"
    }

    package static func seconds(_ seconds: Double) -> String { "\(decimal(seconds)) s" }

    /// Minutes and seconds, `m:ss`, rounded up. The limit, 1 s less than 100 hours, also makes an infinite estimate
    /// convertible to an integer.
    package static func countdown(_ seconds: Double) -> String {
        let whole = Int(min(seconds.rounded(.up), 359_999))
        let tail = whole % 60
        return "\(whole / 60):\(tail < 10 ? "0" : "")\(tail)"
    }

    /// One digit after the point.
    package static func decimal(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
    }
}
