import Tray

extension TrayBoard {
    /// A row of the list.
    enum Row: Equatable, Sendable {
        case unit(UnitNumber)
        /// Units that stand alike and share a row.
        case group(BoardUnit.UnitStatus, [UnitNumber])

        var unit: UnitNumber? { if case .unit(let unit) = self { unit } else { nil } }
    }

    /// The list, the worst first. Where units do not fit `room` rows, those that stand alike share one, but for those at work
    /// and for as many of the failed ones as there is room for.
    func rows(room: Int) -> [Row] {
        let order = order
        guard groups, filter.isEmpty, order.count > room else { return order.map(Row.unit) }
        let byStanding = Dictionary(grouping: order) { units[$0.value].standing }
        let standings = BoardUnit.UnitStatus.allCases.filter { byStanding[$0] != nil }
        var left = max(0, room - standings.count)
        var own: [BoardUnit.UnitStatus: Int] = [:]
        let small = standings.filter { !$0.isWorthALine }
            .sorted { byStanding[$0, default: []].count < byStanding[$1, default: []].count }
        for standing in [.stalled, .running, .failed, .unknown, .error] + small {
            let count = byStanding[standing, default: []].count
            if count - 1 <= left {
                own[standing] = count
                left -= max(0, count - 1)
            } else if standing.isWorthALine {
                own[standing] = left
                left = 0
            }
        }
        return standings.flatMap { standing -> [Row] in
            let members = byStanding[standing, default: []]
            let rest = Array(members.dropFirst(own[standing, default: 0]))
            return members.prefix(own[standing, default: 0]).map(Row.unit)
                + (rest.isEmpty ? [] : [.group(standing, rest)])
        }
    }

    /// Labels in the tray's order, with runs of three and more shortened: `A1–A8 B2`.
    func labels(_ members: [UnitNumber]) -> String {
        var runs: [ClosedRange<Int>] = []
        for member in members.map(\.value).sorted() {
            if let last = runs.last, last.upperBound + 1 == member {
                runs[runs.count - 1] = last.lowerBound...member
            } else {
                runs.append(member...member)
            }
        }
        return runs.flatMap { run -> [String] in
            run.count < 3
                ? run.map { units[$0].record.slot }
                : [units[run.lowerBound].record.slot + "–" + units[run.upperBound].record.slot]
        }.joined(separator: " ")
    }
}
