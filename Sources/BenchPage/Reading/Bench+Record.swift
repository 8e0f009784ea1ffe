import Tray

extension Bench {
    /// Takes over the journal's record of a run.
    mutating func take(_ record: TrayRecord) {
        var run = Run(id: record.id)
        let session = record.sessions.last
        run.session = session?.number ?? 1
        (run.tray, run.order, run.operatorName) = (record.tray, record.orderNumber, record.operatorName)
        (run.expected, run.began, run.ended) = (record.expected, session?.began, session?.ended)
        run.limitedBy = session?.limitedBy
        let file = record.units.lazy.flatMap(\.attempts).compactMap(\.firmware).first
        run.firmware = file.map { file in
            [file.path.split(separator: "/").last.map(String.init), file.version].compactMap(\.self)
                .joined(separator: " · ")
        }
        self.run = run
        name = record.station ?? name
        units = record.units.prefix(RunReader.mostUnits).map(PageUnit.init)
        adapters = (session?.adapters ?? []).map { adapter in
            var shown = Adapter(adapter.name)
            shown.limit = adapter.limit
            return shown
        }
        isPast = session?.ended != nil
        hold = nil
        if !isPast, let last = record.holds.last, last.released == nil {
            hold = Hold(code: last.code, message: last.message, since: last.began)
        }
    }
}

extension PageUnit {
    /// A unit from its record.
    init(_ record: UnitRecord) {
        self.init(slot: record.slot)
        (address, name, identifier, model) = (record.address, record.name, record.identifier, record.model)
        (isGolden, attempts, passedFirst) = (record.isGolden, record.attempts.count, record.passedFirst)
        let last = record.attempts.last
        (adapter, versionBefore) = (last?.adapter, last?.versionBefore)
        version = last?.versionAfter
        if let verdict = record.verdict {
            status = UnitStatus(verdict.outcome)
            (code, cause, nextStep) = (verdict.code, verdict.message, verdict.nextStep)
            stateWords = verdict.state?.words
        } else if let last, last.verdict == nil {
            (status, version) = (.running, last.firmware?.version)
        }
        if let sent = last?.transfer?.bytes, let all = last?.firmware?.bytes, all > 0 {
            share = min(1, Double(sent) / Double(all))
        }
    }
}
