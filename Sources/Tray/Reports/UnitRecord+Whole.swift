extension UnitRecord {
    /// All attempts as one: the start of the first, the total duration, and otherwise the latest known values. Nil if
    /// there was no attempt.
    var whole: AttemptRecord? {
        guard let first = attempts.first, var whole = attempts.last else { return nil }
        whole.began = first.began
        let seconds = attempts.compactMap(\.seconds)
        whole.seconds = seconds.isEmpty ? nil : seconds.reduce(0, +)
        whole.firmware = attempts.last { $0.firmware != nil }?.firmware
        whole.versionBefore = attempts.first { $0.versionBefore != nil }?.versionBefore
        whole.versionAfter = attempts.last { $0.versionAfter != nil }?.versionAfter
        whole.transfer = attempts.last { $0.transfer != nil }?.transfer
        whole.warnings = attempts.flatMap(\.warnings)
        return whole
    }

    /// The share of the firmware that the last attempt with a transfer has sent, from 0 to 1; nil if there was no
    /// attempt.
    var share: Double? {
        if verdict?.outcome == .passed { return 1 }
        guard !attempts.isEmpty else { return nil }
        guard let attempt = attempts.last(where: { $0.transfer != nil }), let sent = attempt.transfer?.bytes,
            let total = attempt.firmware?.bytes, total > 0
        else { return 0 }
        return min(1, Double(sent) / Double(total))
    }

    /// The text that identifies the unit for users: its address without its kind, or else the tray's selector.
    var shortAddress: String? { (address ?? device).map { String($0.prefix { $0 != "/" }) } }
}
