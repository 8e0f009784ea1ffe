import Bluetooth
import Bytes
import CommandKit
import Firmware
import Synchronization
import UpdateModel

struct FlashSummary {
    let report: UpdateReport
    let device: DeviceAddress
    /// The link over which the firmware was sent, if known.
    var link: LinkDescription?
    var isSimulated = false
    /// The version that the same command installs next; nil if there is none.
    var next: String?

    static let dryRun = JSONLine("finished").adding([
        "bytes": .integer(0), "seconds": .integer(0), "transfer_seconds": .integer(0),
        "average_bytes_per_second": .integer(0), "retries": .integer(0), "verified": .text("no"),
        "limited_by": .null, "firmware_revision": .null, "revision_from": .null, "hint": .null,
        "version_from": .null, "next_version": .null, "repeated_bytes": .integer(0), "image_hash": .null,
        "dry_run": .bool(true),
    ])

    /// The achievement to report if the summary cannot be written.
    private var achievement: String {
        switch report.verified {
        case .version, .reappeared: "the update is done and verified"
        case .no: "the update is done, but not verified"
        }
    }

    /// Whether the beacon had all of the firmware from an earlier attempt.
    private var hasSentNothing: Bool { report.transferSeconds == 0 }

    private var hint: String? {
        hasSentNothing
            ? nil
            : SpeedHint.text(
                for: report.limitedBy, over: link, retries: report.retries,
                repeatedBytes: report.repeatedBytes)
    }

    var line: JSONLine {
        JSONLine("finished").adding([
            "bytes": .integer(report.bytes), "seconds": .rounded(report.seconds),
            "transfer_seconds": .rounded(report.transferSeconds),
            "average_bytes_per_second": .rounded(report.averageBytesPerSecond),
            "retries": .integer(report.retries), "verified": .text(report.verified.rawValue),
            "limited_by": hasSentNothing ? .null : .text(report.limitedBy.rawValue),
            "firmware_revision": .optional(report.revision),
            "revision_from": .optional(report.revisionSource?.description), "hint": .optional(hint),
            "version_from": .optional(report.revisionBefore),
            "image_hash": .optional(report.imageHash.map { HexText.encode($0) }),
            "repeated_bytes": .integer(report.repeatedBytes), "simulated": .bool(isSimulated),
            "next_version": .optional(next),
        ])
    }

    func print(on console: Console) {
        console.note(achievement: achievement)
        guard !console.style.isJSON else { return console.event(line) }
        let transfer =
            hasSentNothing
            ? "nothing was sent: the beacon had all of the firmware"
            : "\(Quantities.bytes(report.bytes)) in \(Quantities.seconds(report.transferSeconds)), "
                + "\(Quantities.speed(report.averageBytesPerSecond)), limited by \(report.limitedBy.rawValue)"
        console.result("\(console.paint("done", .green)): \(device), \(transfer)")
        console.result(verification)
        if let next { console.result("not the newest version yet: the same command installs \(next) next") }
        if let hint { console.notice("speed: \(hint)") }
        if report.retries > 0 {
            let repeated =
                report.repeatedBytes > 0
                ? ", \(Quantities.bytes(report.repeatedBytes)) sent more than once" : ""
            console.result("retries: \(report.retries)\(repeated)")
        }
    }

    var verification: TerminalText {
        let before = report.revisionBefore.map { "; before the update it was \($0)" } ?? ""
        // Several images can have the same version; the hash identifies one.
        let image = report.imageHash.map { ", image \(HexText.encode($0.prefix(4)))" } ?? ""
        switch (report.verified, report.revision) {
        case _ where report.hasNoApplication:
            return
                "not verified: the beacon confirmed the image and stays in its bootloader, without an application"
        case (.no, _): return "not verified: it is not known which firmware runs now"
        case (.version, let revision):
            return "verified: the application reports version \(revision ?? "")\(image)\(before)"
        case (.reappeared, let revision?) where revision == report.revisionBefore:
            return "verified: the beacon confirmed the image and its application came back; it reports "
                + "\(revision), as before, which does not identify the image"
        // Only a changed version is evidence without the bootloader's confirmation.
        case (.reappeared, let revision?) where report.revisionBefore != nil:
            return "verified: the application reports version \(revision)\(before)"
        case (.reappeared, let revision?):
            return "verified: the beacon confirmed the image and its application came back; it reports "
                + "\(revision), and the version before is not known"
        case (.reappeared, nil):
            return "verified: the beacon confirmed the image and its application came back"
        }
    }
}

/// Remembers the last link that an update has reported.
final class LastLink: Sendable {
    private let last = Mutex<LinkDescription?>(nil)

    func note(_ event: UpdateEvent) {
        switch event {
        case .connected(_, let link), .detail(.linkChanged(let link)): last.withLock { $0 = link }
        default: break
        }
    }

    /// The link, nil before one was reported. It is the bootloader's, over which the firmware was sent: the
    /// verification of the application reports no link. It is the application's only if an unconfirmed update
    /// resumes over a new link and finds the application.
    var description: LinkDescription? { last.withLock(\.self) }
}

/// A hint on what would have made an update faster (docs/performance.md).
enum SpeedHint {
    /// The interval that bootloaders request. A longer one slows an update more than anything else.
    private static let goodInterval = Duration.milliseconds(15)

    /// Nil if nothing is known to help. `retries` is how often something was sent or requested again, after
    /// which a sender slows down; `repeatedBytes` is how much firmware was sent again.
    static func text(
        for limit: SpeedLimit, over link: LinkDescription?, retries: Int = 0, repeatedBytes: Int = 0
    ) -> String? {
        switch limit {
        case .flash where retries == 0:
            return "the beacon's answers show that its flash limits the speed; a faster link would not help"
        case .flash, .retries:
            return repeatedBytes > 0
                ? "parts were sent again: move the beacon closer, or away from other radios" : nil
        case .answers, .air: break
        }
        guard let link else { return nil }
        if let interval = link.interval, interval > goodInterval {
            return
                "the connection interval is \(interval / .milliseconds(1)) ms, although 15 ms was requested"
        }
        guard limit == .air else { return nil }
        if link.mtu <= 23 {
            let programs = KnownVendors.all.compactMap(\.wording.longPackets).joined(separator: ", and ")
            return
                "the MTU is 23, so a packet carries 20 bytes: the beacon or the adapter refused more (bootloaders of "
                + "\(programs), take 244)"
        }
        if link.phy == "coded" { return "the link runs on LE Coded, at an eighth to half of LE 1M's rate" }
        return link.phy == "1M"
            ? "the link runs on LE 1M: an adapter and a beacon with LE 2M are faster" : nil
    }
}
