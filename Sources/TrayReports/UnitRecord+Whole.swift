import Tray

extension UnitRecord {
    /// All attempts as one: begun with the first, as long as all together, and for the rest as the last one that knew. Nil
    /// where nothing was tried.
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

    /// How much of its firmware the last attempt that sent something has sent, from 0 to 1; nil where nothing was tried.
    var share: Double? {
        if verdict?.outcome == .passed { return 1 }
        guard !attempts.isEmpty else { return nil }
        guard let attempt = attempts.last(where: { $0.transfer != nil }), let sent = attempt.transfer?.bytes,
            let total = attempt.firmware?.bytes, total > 0
        else { return 0 }
        return min(1, Double(sent) / Double(total))
    }

    /// How the unit is told apart from others by people: its address without its kind, else what the tray says.
    var shortAddress: String? { (address ?? device).map { String($0.prefix { $0 != "/" }) } }
}
