import Tray

/// The schedule next to the exact bound: units by links by adapters, for slow and fast adverts, with one and two
/// connects.
enum ModelTable {
    private static let links = [1, 2, 4, 8, 16]

    /// Prints the table; returns where a schedule reaches less than 95 % of the bound.
    static func print() -> [String] {
        var flaws: [String] = []
        for connects in [1, 2] {
            for advert in [1.0, 0.1] {
                Swift.print(
                    "\(connects) connect\(connects > 1 ? "s" : ""), adverts every \(Int(advert * 1000)) ms")
                Swift.print("units adapters  " + links.map { pad("\($0) links", 24) }.joined())
                for (units, adapters) in [8, 48, 500].flatMap({ units in (1...4).map { (units, $0) } }) {
                    let cells = links.map { links in
                        cell(
                            units, adapters, links, TrayModel(connects: connects, connect: 1.5 * advert),
                            &flaws)
                    }
                    Swift.print(
                        pad("\(units)", 6) + pad("\(adapters)", 10) + cells.map { pad($0, 24) }.joined())
                }
            }
        }
        return flaws
    }

    private static func cell(
        _ units: Int, _ adapters: Int, _ links: Int, _ model: TrayModel, _ flaws: inout [String]
    ) -> String {
        var tray = SimulatedTray(
            SimulatedTray.Conditions(units: units, adapters: adapters, room: links, model: model))
        let time = tray.run()
        let bound = model.time(of: units, links: links, adapters: adapters)
        let share = bound / time
        flaws += tray.flaws
        if share < 0.95 {
            flaws.append(
                "\(units) units, \(adapters) adapters, \(links) links: \(Int(share * 100)) % of the bound")
        }
        let factor = model.limitingFactor(links: links)
        return "\(tenths(time)) s \(Int((share * 100).rounded(.down))) % \(factor)"
    }

    static func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }

    static func tenths(_ value: Double) -> String { "\(Double(Int(value * 10 + 0.5)) / 10)" }
}

extension TrayModel {
    /// The resource that limits a long tray on one adapter.
    func limitingFactor(links: Int) -> String {
        let connector = 1 / (Double(connects) * connect)
        let shared = air / size
        let slots = Double(links) / alone
        let rate = min(connector, shared, slots)
        if rate / connector >= 0.95 { return "connector" }
        return rate / shared >= 0.95 ? "air" : "flash"
    }
}
