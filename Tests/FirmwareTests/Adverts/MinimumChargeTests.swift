import Firmware
import Testing
import UpdateModel

@Suite struct `The minimum charge for an update` {
    @Test(
        arguments: [
            (BatteryCharge(), nil), (BatteryCharge(percent: 20), nil),
            (BatteryCharge(percent: 19), "19 %, below 20 %"), (BatteryCharge(millivolts: 2400), nil),
            (BatteryCharge(millivolts: 2399), "2399 mV, below 2400 mV"),
            (BatteryCharge(percent: 90, millivolts: 2000), "2000 mV, below 2400 mV"),
            (BatteryCharge(percent: 0, isExternal: true), nil),
        ] as [(BatteryCharge, String?)])
    func `is 20 percent or 2400 mV, or unknown`(_ charge: BatteryCharge, shortage: String?) {
        #expect(MinimumCharge().shortage(of: charge) == shortage)
        #expect(MinimumCharge.none.shortage(of: charge) == nil)
    }

    @Test(
        arguments: [
            ("30", 30, 2400), ("30%", 30, 2400), ("100", 100, 2400), ("2900mV", 20, 2900),
            ("2900MV", 20, 2900),
            ("0", 0, 0), ("0%", 0, 2400), ("0mv", 20, 0),
        ])
    func `is set by a percentage or a voltage`(_ text: String, percent: Int, millivolts: Int) {
        var limit = MinimumCharge()
        let isTaken = limit.set(text)
        #expect(isTaken)
        #expect(limit.percent == percent)
        #expect(limit.millivolts == millivolts)
    }

    @Test(arguments: [
        "", "%", "mV", "101", "-1", "20 %", "3V", "10001mV", "2.5", "٣", "99999999999999999999",
    ])
    func `is not set by any other text`(_ text: String) {
        var limit = MinimumCharge()
        let isTaken = limit.set(text)
        #expect(!isTaken)
        #expect(limit == MinimumCharge())
    }
}
