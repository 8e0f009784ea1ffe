import Bluetooth
import Bytes
package import CommandKit
package import Firmware
import UpdateModel

extension FlashJob {
    package func startedLine(of beacon: BeaconSighting) -> JSONLine {
        JSONLine(
            "started",
            [
                "file": .text(path), "kind": .text(file.kind.rawValue),
                "device": .text(beacon.address.description), "bytes": .integer(file.summary.bytes),
                "version_from": .optional(beacon.identity.version),
                "version_to": .optional(file.summary.parts.last?.version?.readable),
            ].merging(beacon.identity.charge.members) { $1 }.merging(firstPart?.members ?? [:]) { $1 })
    }

    package var summary: String {
        let parts = file.summary.parts.map { part in
            ([part.title, Quantities.bytes(part.bytes), "version \(part.version?.readable ?? "unknown")"]
                + part.remarks)
                .joined(separator: ", ")
        }
        return "\(path): " + parts.joined(separator: "; then ")
    }

    var awaited: Awaited { Awaited(hasApplication: file.summary.hasApplication) }

    /// The part that is sent first; nil if it is the only one.
    private var firstPart: UpdatePart? {
        let parts = file.summary.parts
        return parts.count > 1 ? UpdatePart(number: 1, of: parts.count, title: parts[0].title) : nil
    }
}

/// Which program a restarting beacon is expected to come back with.
struct Awaited: CustomStringConvertible, Sendable {
    /// Whether an application comes up in the end.
    var hasApplication = true
    private(set) var part: UpdatePart?

    mutating func note(_ event: UpdateEvent) {
        if case .part(let part) = event { self.part = part }
    }

    /// After every part but the last, the update continues in the bootloader.
    var description: String {
        if let part, part.number < part.count { return "the bootloader" }
        return hasApplication ? "the application" : "the beacon"
    }
}
