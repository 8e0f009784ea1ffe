import Testing
import Tray

@Suite struct `A percentage` {
    @Test(arguments: [
        (11.0 / 12, "91.6 %"), (1, "100.0 %"), (0.9996, "99.9 %"), (0.29, "29.0 %"), (2.0 / 3, "66.6 %"),
        (0, "0.0 %"), (-1, "0.0 %"), (.nan, "0.0 %"),
    ])
    func `is cut after one decimal, so that it shows 100 only when complete`(share: Double, text: String) {
        #expect(Percentage(share).description == text)
    }
}
