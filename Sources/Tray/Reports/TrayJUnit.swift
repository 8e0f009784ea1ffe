import Bytes
import UpdateModel

extension TrayRecord {
    /// The run as JUnit XML: a unit is a test case, named by its slot. A bench error is an error, not a failure; units
    /// that were skipped or are not finished are skipped.
    package var junit: String {
        let clock = RunClock(self)
        let described: [(String, String?)] = [
            ("run", id), ("tray", tray), ("station", station), ("operator", operatorName),
            ("order_number", orderNumber), ("expected", expected.map(String.init)),
        ]
        return JUnitDocument.text(
            name: "beacon-dfu batch", seconds: clock.total, began: sessions.first?.began.description,
            properties: described.compactMap { name, value in value.map { (name, $0) } },
            cases: units.map { $0.testCase(of: tray ?? "tray") })
    }
}

extension UnitRecord {
    fileprivate func testCase(of tray: String) -> JUnitDocument.Case {
        let who = [shortAddress, identifier, name].compactMap(\.self).joined(separator: " ")
        return JUnitDocument.Case(
            group: tray, name: who.isEmpty ? slot : "\(slot): \(who)", seconds: mergedAttempts?.seconds,
            ending: ending, output: mergedAttempts?.warnings.map { "warning \($0.code): \($0.message)" } ?? []
        )
    }

    private var ending: JUnitDocument.Ending? {
        guard let verdict else { return .skipped(message: "not finished") }
        let message = verdict.message ?? verdict.outcome.words
        let type = verdict.code ?? verdict.outcome.rawValue
        let lines = [
            verdict.during.map { "during: \($0)" }, verdict.state.map { "now: \($0.words)" },
            verdict.nextStep.map { "next: \($0)" },
        ].compactMap(\.self)
        return switch verdict.outcome {
        case .passed, .notNeeded: nil
        case .failed, .unknown: .failure(type: type, message: message, lines: lines)
        case .error: .error(type: type, message: message, lines: lines)
        case .skipped, .aborted: .skipped(message: message)
        }
    }
}
