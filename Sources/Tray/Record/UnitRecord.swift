package import Bluetooth
package import Firmware
package import UpdateModel

package struct UnitRecord: Hashable, Codable, Sendable {
    /// The slot's label, unique in a tray.
    package var slot: String
    /// The selector of the slot; nil for a unit that a rule found.
    package var device: String?
    /// The application's address, with its kind after a slash; nil until it was heard.
    package var address: String?
    package var identifier: String?
    /// The advertised name, as received.
    package var name: String?
    package var vendor, model: String?
    /// Signal strength, in dBm.
    package var rssi: Int?
    /// Whether the unit was the golden one, which had to pass before the others started.
    package var isGolden = false
    package var attempts: [AttemptRecord] = []
    package var verdict: UnitVerdict?

    package init(slot: String, device: String? = nil) { (self.slot, self.device) = (slot, device) }

    /// Records what `beacon` has advertised. `silentApplication`: the application's address if the beacon runs its
    /// bootloader, otherwise nil.
    package mutating func note(_ beacon: BeaconSighting, silentApplication: DeviceAddress?) {
        address = (silentApplication ?? beacon.address).withKind
        rssi = beacon.heard.strength.last.map { Int($0) } ?? rssi
        guard silentApplication == nil else { return }
        name = beacon.data.name ?? name
        identifier = beacon.identity.id ?? identifier
        vendor = beacon.identity.maker?.rawValue ?? vendor
        model = beacon.identity.model ?? model
    }

    /// What is known of the unit from its adverts.
    var identity: (address: String?, id: String?, name: String?, vendor: String?, model: String?, rssi: Int?)
    {
        get { (address, identifier, name, vendor, model, rssi) }
        set { (address, identifier, name, vendor, model, rssi) = newValue }
    }

    /// Whether the first attempt that reflects the unit passed, and no image was sent from its first byte more than
    /// once up to its end, not even because of a bench error. If no attempt reflects the unit, whether the unit's
    /// verdict is that it passed; nil if the verdict does not reflect the unit either.
    package var passedFirst: Bool? {
        let first = attempts.firstIndex { $0.verdict?.outcome.isOfUnit == true }
        let decisive = first.map { attempts.prefix($0 + 1) } ?? attempts[...]
        let outcome = first.flatMap { attempts[$0].verdict?.outcome } ?? verdict?.outcome
        guard let outcome, outcome.isOfUnit else { return nil }
        return outcome == .passed && decisive.timesSent <= 1
    }

    package static let firstPassMeaning =
        "First pass: passed in the first attempt, and the image was sent from its beginning only once. "
        + "A transfer that continued after a lost link was sent once; errors of the bench do not count as attempts."
}

/// A later attempt does not delete what an earlier one found out, unless it learns more.
extension UnitRecord {
    /// Completes `verdict` with what earlier attempts found out. `mayBeNew`: whether the unit was told to install the
    /// firmware that it was sent; if it is not reached after that, it may run the new firmware or the old one.
    /// `wasSeen`: whether its application was seen in this attempt, so that earlier knowledge does not apply.
    func completing(_ verdict: UnitVerdict, mayBeNew: Bool, wasSeen: Bool = false) -> UnitVerdict {
        guard !wasSeen, !verdict.outcome.isGood, verdict.state == nil, let address else { return verdict }
        var completed = verdict
        let isUnreached = Self.unreached.contains(verdict.code ?? "")
        let known = attempts.last { $0.verdict.map { $0.state != nil || $0.outcome.isGood } ?? false }?
            .verdict
        if known?.outcome.isGood == true { return verdict }
        if let state = known?.state {
            completed.state = isUnreached ? state.silent : state
        } else if mayBeNew {
            completed.state = .startedUnseen(at: address)
        }
        guard mayBeNew, isUnreached, verdict.outcome == .failed else { return completed }
        completed.outcome = .unknown
        completed.message =
            (verdict.message.map { "\($0); " } ?? "")
            + "it had been told to start the new firmware, so it may run that or the old one"
        return completed
    }

    /// Whether the unit may run firmware that the attempts with the numbers `activations` told it to install: bytes that
    /// a later attempt sent replace that firmware. An attempt that was cut off may have sent none.
    package func mayBeInstalled(by activations: Set<Int>) -> Bool {
        attempts.reduce(false) { mayBe, attempt in
            activations.contains(attempt.number) || mayBe && attempt.transfer?.bytes ?? 0 == 0
        }
    }

    /// The codes of verdicts on units that were not reached: these attempts have found out nothing.
    private static let unreached = Set(
        (FailureCode.device.codes + FailureCode.tray.codes).filter(\.isUnreached).map(\.rawValue))
}

extension [UnitRecord] {
    /// The places of the units by their slots.
    var places: [String: Int] {
        Dictionary(enumerated().map { ($1.slot, $0) }, uniquingKeysWith: { first, _ in first })
    }
}

extension Sequence<AttemptRecord> {
    /// How often firmware was sent from its first byte, in all these attempts; with several parts, how often the most
    /// frequent part was.
    package var timesSent: Int {
        var times: [Int: Int] = [:]
        for attempt in self {
            for first in attempt.sentFrom ?? [] { times[first, default: 0] += 1 }
            // A record from a file may hold any number: the sum must not overflow.
            if attempt.sentFrom == nil { times[0, default: 0] += Swift.min(attempt.timesSent ?? 0, 1 << 32) }
        }
        return times.values.max() ?? 0
    }
}

package struct AttemptRecord: Hashable, Codable, Sendable {
    /// A phase of an update; `name` is as in `flash --json`.
    package struct Phase: Hashable, Codable, Sendable {
        package var name: String
        /// When the phase began, in seconds after the start of the attempt.
        package var at: Double

        package init(_ name: String, at: Double) { (self.name, self.at) = (name, at) }
    }

    package struct Speed: Hashable, Codable, Sendable {
        /// When the speed was measured, in seconds after the start of the attempt.
        package var at: Double
        /// The average since the previous entry, or since sending began, in bytes per second: together the entries
        /// cover all bytes.
        package var bytesPerSecond: Double

        package init(at: Double, bytesPerSecond: Double) {
            (self.at, self.bytesPerSecond) = (at, bytesPerSecond)
        }
    }

    package struct Warning: Hashable, Codable, Sendable {
        package var code, message: String

        package init(_ code: FailureCode, _ message: String) {
            (self.code, self.message) = (code.rawValue, message)
        }
    }

    /// What was sent, or was sent so far if the attempt did not end normally.
    package struct Transfer: Hashable, Codable, Sendable {
        /// The number of firmware bytes.
        package var bytes: Int
        /// The time from the first firmware byte to the last reply.
        package var seconds: Double
        /// The average rate, in bytes per second.
        package var average: Double
        package var retries: Int
        /// What limited the speed: `air`, `flash`, `answers` or `retries`; nil if the transfer did not end normally.
        package var limitedBy: String?

        package init(bytes: Int, seconds: Double, average: Double, retries: Int, limitedBy: String?) {
            (self.bytes, self.seconds, self.average, self.retries) = (bytes, seconds, average, retries)
            self.limitedBy = limitedBy
        }
    }

    /// Counts the unit's attempts in all sessions of a run, from 1.
    package var number: Int
    /// The session of the run, from 1; the second is the first `--resume`.
    package var session: Int
    /// The adapter, for example `hci0`.
    package var adapter: String
    package var began: RecordedTime
    /// The attempt's duration; nil while it runs, and if it was cut off.
    package var seconds: Double?
    /// The address at which the unit was found, with its kind after a slash.
    package var address: String
    package var firmware: FirmwareRecord?
    package var versionBefore: String?
    /// The version that the unit itself reported after the update; nil if it was not read, or the unit reports none.
    package var versionAfter: String?
    /// How the result was verified: `version`, `reappeared` or `no`; nil if there is no result.
    package var verified: String?
    package var phases: [Phase] = []
    /// The speeds during the transfer, one for each second and one at the end.
    package var speeds: [Speed] = []
    package var warnings: [Warning] = []
    package var transfer: Transfer?
    /// How often firmware was sent from its first byte; with several parts, how often the most frequent part was. Nil
    /// in records of earlier versions.
    package var timesSent: Int?
    /// Offsets of the parts' first bytes, in bytes of the update: an entry for each time that a part was sent from
    /// there. Nil if only the first part was.
    package var sentFrom: [Int]?
    /// How the attempt ended; nil while it runs, and if it was cut off.
    package var verdict: UnitVerdict?

    package init(
        number: Int, session: Int, adapter: String, began: RecordedTime, address: String,
        firmware: FirmwareRecord? = nil, versionBefore: String? = nil
    ) {
        (self.number, self.session, self.adapter, self.began) = (number, session, adapter, began)
        (self.address, self.firmware, self.versionBefore) = (address, firmware, versionBefore)
    }
}

package struct FirmwareRecord: Hashable, Codable, Sendable {
    package var path: String
    /// The file's SHA-256 in lower-case hexadecimal.
    package var sha256: String
    /// The kind of firmware, as `inspect` names it.
    package var kind: String
    /// The number of bytes to send, all parts together.
    package var bytes: Int
    package var version: String?

    package init(path: String, sha256: String, kind: String, bytes: Int, version: String?) {
        (self.path, self.sha256, self.kind, self.bytes, self.version) = (path, sha256, kind, bytes, version)
    }
}

extension DeviceAddress {
    /// The address with its kind after a slash, as in records and selectors.
    package var withKind: String { "\(self)/\(kind.rawValue)" }
}
