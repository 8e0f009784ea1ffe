import Bluetooth
import Testing
import UpdateModel

@testable import CommandKit
@testable import RadioCommands

@Suite struct `Progress on a terminal` {
    /// The output for the events, each one second after the last, and for the seconds between them.
    static func shown(
        _ events: [(Int, UpdateEvent)], until end: Int, columns: Int = 80
    ) -> [Int: [Rendering]] {
        var bar = TerminalBar(TransferState(attempts: 5)) { columns }
        var shown: [Int: [Rendering]] = [:]
        for second in 0...end {
            for (_, event) in events.filter({ $0.0 == second }) {
                shown[second, default: []] += bar.render(event, at: .seconds(second))
            }
            shown[second, default: []] += bar.tick(at: .seconds(second))
        }
        return shown
    }

    static let begun: [(Int, UpdateEvent)] = [
        (0, .phase(.transferring)), (0, .progress(sent: 0, total: 30_000, bytesPerSecond: 0)),
        (1, .progress(sent: 3000, total: 30_000, bytesPerSecond: 3000)),
        (3, .progress(sent: 9000, total: 30_000, bytesPerSecond: 3000)),
    ]

    @Test func `has amount, total, speed, and time left once it can be estimated`() {
        let shown = Self.shown(Self.begun, until: 3)
        let track = "##.........................."
        #expect(shown[1] == [.bar("[\(track)]  10 %  3.0 of 30.0 kB  3.0 kB/s")])
        #expect(shown[3]?.first == .bar("[\(Self.track(30, 28))]  30 %  9.0 of 30.0 kB  3.0 kB/s  ETA 0:07"))
    }

    @Test func `shows how long no answer has come instead of speed and time left`() {
        let shown = Self.shown(Self.begun, until: 40)
        #expect(shown[5] == [])
        guard case .bar(let stalled)? = shown[15]?.first, case .bar(let late)? = shown[40]?.first else {
            Issue.record("nothing is drawn")
            return
        }
        #expect(stalled.hasSuffix("30 %  9.0 of 30.0 kB  no answer for 12 s of 30"))
        #expect(late.hasSuffix("no answer for 37 s"))
    }

    @Test(arguments: [80, 60, 40, 30]) func `fits the terminal`(_ columns: Int) {
        for renderings in Self.shown(Self.begun, until: 9, columns: columns).values {
            for case .bar(let text) in renderings {
                #expect(text.count < columns || !text.hasPrefix("["))
            }
        }
    }

    @Test func `stays when everything is sent`() {
        let end: [(Int, UpdateEvent)] = [
            (9, .progress(sent: 30_000, total: 30_000, bytesPerSecond: 3000)), (9, .phase(.activating)),
        ]
        let lines = Self.shown(Self.begun + end, until: 9)[9]?.filter {
            if case .line = $0 { true } else { false }
        }
        #expect(
            lines == [
                .line("[\(Self.track(100, 28))] 100 %  30.0 of 30.0 kB"),
                .line("the beacon is checking the image"),
            ])
    }

    @Test func `shows how long a phase takes`() {
        let shown = Self.shown([(0, .phase(.rebooting))], until: 12)
        #expect(shown[1] == [.bar("waiting for the application, 1 s")])
        #expect(shown[12] == [.bar("waiting for the application, 12 s")])
    }

    /// After a lost link, only the next one shows where the update goes on.
    @Test func `gives the place of a retry over the same link, and the attempt after a lost one`() {
        var bar = TerminalBar(TransferState(attempts: 5)) { 80 }
        let lines = [2, nil].flatMap { link in
            bar.render(.retry(attempt: 1, reason: .device.linkLost, from: 1000, link: link), at: .zero)
        }
        #expect(
            lines == [
                .line("link-lost: retrying, attempt 2 of 5"), .line("link-lost: retrying from 1.0 kB"),
            ])
    }

    private static func track(_ percent: Int, _ width: Int) -> String {
        let filled = percent * width / 100
        return String(repeating: "#", count: filled) + String(repeating: ".", count: width - filled)
    }
}

@Suite struct `Progress in a pipe` {
    @Test func `reports every ten seconds that there is no answer`() {
        var lines = PlainLines(TransferState(attempts: 5))
        _ = lines.render(.phase(.transferring), at: .zero)
        _ = lines.render(.progress(sent: 1, total: 100, bytesPerSecond: 1), at: .zero)
        let told = (1...35).flatMap { lines.tick(at: .seconds($0)) }
        #expect(
            told == [
                .line("no answer for 10 s of 30"), .line("no answer for 20 s of 30"),
                .line("no answer for 30 s"),
            ])
    }

    @Test func `say every ten seconds what they wait for besides`() {
        var lines = PlainLines(TransferState(attempts: 5))
        _ = lines.render(.phase(.enteringBootloader), at: .zero)
        let told = (1...25).flatMap { lines.tick(at: .seconds($0)) }
        #expect(told == [.line("entering the bootloader, 10 s"), .line("entering the bootloader, 20 s")])
    }
}
