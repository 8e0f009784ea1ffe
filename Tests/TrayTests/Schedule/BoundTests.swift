import TestSupport
import Testing

@testable import Tray
@testable import tray_bench

/// The numbers are those of a model that was computed independently.
@Suite struct `The model of a tray` {
    @Test(arguments: [
        (1, 1, [116.0, 59.5, 33.5, 25.0, 25.0], 8), (1, 1, [696.0, 349.5, 178.5, 97.5, 85.0], 48),
        (1, 1, [7250.0, 3626.5, 1817.0, 918.0, 763.0], 500), (1, 4, [174.0, 88.5, 48.0, 33.5, 31.0], 48),
        (2, 1, [128.0, 67.5, 40.5, 36.0, 36.0], 8), (2, 1, [768.0, 397.5, 205.5, 156.0, 156.0], 48),
        (2, 3, [2672.0, 1385.5, 698.5, 514.0, 514.0], 500),
    ])
    func `takes the time that was computed`(connects: Int, adapters: Int, times: [Double], units: Int) {
        let model = TrayModel(connects: connects)
        for (links, time) in zip([1, 2, 4, 8, 16], times) {
            #expect(
                abs(model.time(of: units, links: links, adapters: adapters) - time) < 0.06, "\(links) links")
        }
    }
}

@Suite struct `A schedule next to the exact bound` {
    /// Units, adapters, connects of a unit, and seconds of a connect; `make bench` has all of them.
    static let trays = [(8, 1, 2, 1.5), (48, 1, 1, 1.5), (48, 2, 2, 0.15), (48, 4, 2, 1.5)]

    @Test(arguments: trays)
    func `reaches 95 %, with one to sixteen links`(
        units: Int, adapters: Int, connects: Int, connect: Double
    ) {
        let model = TrayModel(connects: connects, connect: connect)
        for links in [1, 4, 16] {
            var tray = SimulatedTray(
                SimulatedTray.Conditions(units: units, adapters: adapters, room: links, model: model))
            let time = tray.run()
            let bound = model.time(of: units, links: links, adapters: adapters)
            #expect(tray.flaws == [])
            #expect(bound / time >= 0.95, "\(links) links: \(time) s, bound \(bound) s")
        }
    }

    @Test(arguments: [1, 2])
    func `also reaches it when it has to learn how many links a controller holds`(connects: Int) {
        let model = TrayModel(connects: connects)
        for (units, links) in [(48, 2), (48, 5), (48, 16)] {
            var tray = SimulatedTray(
                SimulatedTray.Conditions(units: units, room: links, isRoomKnown: false, model: model))
            let time = tray.run()
            let bound = model.time(of: units, links: links, adapters: 1)
            #expect(tray.flaws == [])
            #expect(bound / time >= 0.95, "\(links) links: \(time) s, bound \(bound) s")
        }
    }

    @Test(arguments: [1, 2]) func `adds one unit's time for a golden unit`(connects: Int) {
        let model = TrayModel(connects: connects)
        var tray = SimulatedTray(
            SimulatedTray.Conditions(units: 48, room: 8, model: model, rules: ScheduleRules(hold: [])))
        let bound = model.time(of: 47, links: 8, adapters: 1) + model.alone
        #expect(bound / tray.run() >= 0.95)
        #expect(tray.flaws == [])
    }

    /// A connect waits for two adverts, one to two intervals, which the bound takes for one and a half; an update
    /// listens for a second before its first; and units have to be heard.
    @Test(arguments: [0.1, 1.0]) func `comes near it when beacons have to be heard first`(advert: Double) {
        for (adapters, links) in [(1, 8), (2, 8), (3, 4)] {
            let model = TrayModel(connects: 2, connect: 1.5 * advert)
            var tray = SimulatedTray(
                SimulatedTray.Conditions(
                    units: 48, adapters: adapters, room: links, model: model, advert: advert, preparation: 1))
            let time = tray.run()
            let bound = model.time(of: 48, links: links, adapters: adapters)
            #expect(tray.flaws == [])
            #expect(bound / time >= 0.85, "\(adapters) adapters: \(time) s, bound \(bound) s")
        }
    }
}
