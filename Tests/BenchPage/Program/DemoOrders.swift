import BenchPage
import Tray
import UpdateModel

/// Invented orders and runs.
struct DemoOrders: Sendable {
    private(set) var shown: PageOrders

    /// The orders of a bench, whose runs the page shows too, or of a work server, where orders can be created.
    init(at now: RecordedTime, isOfBench: Bool) {
        func ago(_ hours: Int64) -> RecordedTime {
            RecordedTime(milliseconds: now.milliseconds - hours * 3_600_000)
        }
        func figures(_ first: Int, _ final: Int, of counted: Int) -> YieldFigures {
            YieldFigures(firstPass: Yield(first, of: counted), final: Yield(final, of: counted))
        }
        var first = PageOrder(number: "WO-2026-1123", state: "open")
        (first.expected, first.counts, first.benches) = (
            48, [.passed: 33, .failed: 2, .error: 1], ["line3-bench2"]
        )
        (first.firmware, first.began, first.figures) = (
            "KBPro_S9_v6.40.zip", now, figures(31, 33, of: 35)
        )
        first.troubles = [
            PageTrouble(
                "image-refused", units: 1,
                cause: "the beacon refused the image: it is for other hardware (0B 06)",
                nextStep: "compare the label with the order"),
            PageTrouble(
                "battery-low", units: 1, cause: "battery at 8 %",
                nextStep: "change its battery, then try again"),
        ]
        var second = PageOrder(number: "WO-2026-1119", state: "held")
        (second.heldReason, second.heldSince) = (
            "3 units in a row failed with image-refused",
            RecordedTime(milliseconds: now.milliseconds - 95_000)
        )
        (second.expected, second.counts) = (500, [.passed: 120, .failed: 3, .waiting: 377])
        (second.benches, second.began, second.figures) = (
            ["line1-bench1", "line1-bench2"], ago(6), figures(114, 120, of: 123)
        )
        (second.released, second.releasedBy) = (ago(5), "M. Ito (page, approver)")
        second.troubles = [
            PageTrouble(
                "image-refused", units: 3,
                cause: "the beacon refused the image: it is for other hardware (0B 06)",
                nextStep: "compare the label with the order")
        ]
        var third = PageOrder(number: "WO-2026-1101", state: "done")
        (third.expected, third.counts, third.benches) = (
            96, [.passed: 95, .notNeeded: 1], ["line2-bench1"]
        )
        (third.began, third.figures) = (ago(30), figures(91, 95, of: 95))
        var orders = [first, second, third]
        for (index, yields) in [(88, 94), (92, 96), (85, 93), (90, 95), (94, 96)].enumerated() {
            var order = PageOrder(number: "WO-2026-\(1090 - index * 7)", state: "done")
            (order.expected, order.counts, order.benches) = (96, [.passed: yields.1], ["line2-bench1"])
            (order.began, order.figures) = (ago(54 + Int64(index) * 24), figures(yields.0, yields.1, of: 96))
            orders.append(order)
        }
        let runs = orders.enumerated().compactMap { index, order in
            order.began.map {
                PageRun(id: "run-\(index)", order: order.number, began: $0, figures: order.figures)
            }
        }
        guard !isOfBench else {
            shown = PageOrders(orders, runs: runs)
            return
        }
        (orders[0].actions, orders[1].actions) = ([.hold], [.release])
        shown = PageOrders(
            orders,
            choices: [
                FirmwareChoice(id: "catalogue:20", name: "catalogue 20, the latest"),
                FirmwareChoice(id: "tray", name: "the firmware of each bench's tray file"),
            ])
    }

    mutating func perform(_ action: OrderAction, for user: PageUser) throws(PageRefusal) {
        func place(_ number: String) throws(PageRefusal) -> Int {
            guard let place = shown.orders.firstIndex(where: { $0.number == number }) else {
                throw PageRefusal(
                    409, .station.orderUnknown, "there is no order \(number)", next: "load the page again")
            }
            return place
        }
        switch action {
        case .create(let draft):
            guard !shown.orders.contains(where: { $0.number == draft.number }) else {
                throw PageRefusal(
                    409, FailureCode(named: "order-exists"), "order \(draft.number) already exists",
                    next: "choose another number")
            }
            var order = PageOrder(number: draft.number, state: "draft")
            (order.expected, order.began, order.actions) = (draft.expected, .now, [.release])
            order.firmware = shown.choices.first { $0.id == draft.firmware }?.name
            shown.orders.insert(order, at: 0)
        case .hold(let number, let reason):
            let place = try place(number)
            (shown.orders[place].state, shown.orders[place].heldReason) = ("held", reason)
            (shown.orders[place].heldSince, shown.orders[place].actions) = (.now, [.release])
        case .release(let number, _):
            let place = try place(number)
            (shown.orders[place].state, shown.orders[place].heldReason) = ("open", nil)
            (shown.orders[place].heldSince, shown.orders[place].actions) = (nil, [.hold])
            (shown.orders[place].released, shown.orders[place].releasedBy) = (.now, user.recordedName)
        }
    }
}
