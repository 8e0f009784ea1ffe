import Bytes
package import Tray
package import UpdateModel

/// A unit as the page shows it: its record, without attempts and verdict, and its progress.
@dynamicMemberLookup package struct PageUnit: CountedUnit, Hashable, Sendable {
    private var record: UnitRecord
    package var status = UnitStatus.waiting
    /// The phase of its update, by the names of `flash --json`; nil while it is not at work.
    package var phase: String?
    /// The share of its firmware that was sent, from 0 to 1; nil if none was to be sent.
    package var share: Double?
    /// The rate over the last second, while firmware is sent.
    package var bytesPerSecond: Double?
    package var secondsLeft: Double?
    package var attempts = 0
    package var passedFirst: Bool?
    /// Its outcome before it was tried again, which counts until there is another result.
    package var outcomeBefore: UnitOutcome?
    /// The adapter of the latest attempt.
    package var adapter: String?
    package var versionBefore: String?
    /// The version after the update; while it is at work, the version to install.
    package var version: String?
    /// The code of the reason why the unit does not run its firmware.
    package var code: String?
    package var cause: String?
    package var nextStep: String?
    /// The state of the unit in words, if `status` alone does not define it.
    package var stateText: String?

    package init(slot: String) { record = UnitRecord(slot: slot) }

    init(_ record: UnitRecord) {
        self.record = record
        (self.record.attempts, self.record.verdict) = ([], nil)
    }

    package subscript<Value>(dynamicMember path: WritableKeyPath<UnitRecord, Value>) -> Value {
        get { record[keyPath: path] }
        set { record[keyPath: path] = newValue }
    }

    /// The fields of its record that the page shows.
    var fields: [String: JSONValue] {
        let source = FieldSource(record)
        let members = RecordField.of(.page).compactMap { field in
            field.words(source).map { (field.name, JSONValue.text($0)) }
        }
        return Dictionary(members, uniquingKeysWith: { first, _ in first })
    }

    /// The outcome; during another attempt, the outcome before it. Nil if there never was one.
    package var yieldOutcome: UnitOutcome? {
        guard let outcome = status.outcome, outcome.isOfUnit else { return outcomeBefore }
        return outcome
    }

    /// The last two bytes of the address, for example `0C:2F`; the last six characters of an address in another form.
    package var shortAddress: String? {
        guard let short = record.address?.prefix(while: { $0 != "/" }) else { return nil }
        return short.utf8.count == 17 ? String(short.suffix(5)) : String(short.suffix(6))
    }
}
