import Bytes
import Firmware
import TestSupport
import Tray

extension FuzzTarget {
    /// Texts that people write about a tray, input of their scanners, and lines of a run.
    static let tray = [trayFile, scannedCodes, runLines]

    private static let trayFile = FuzzTarget(
        "tray-file",
        seeds: {
            try [Samples.file(at: Samples.root + "/manifests/trays/sample.yaml")]
                + trays.map { Array($0.utf8) }
        },
        check: { input in
            let tray: TrayFile
            do {
                tray = try TrayFile(parsing: input)
            } catch let error as YAMLProblem {
                try demand(error.line ?? 1 >= 1, "\(error)")
                return
            }
            let again = try TrayFile(parsing: Array(tray.text.utf8))
            try demand(again == tray, "the tray reads differently")
        })

    private static let scannedCodes = FuzzTarget("scanned-codes", seeds: { codes.map { Array($0.utf8) } }) {
        input in
        guard let list = try? ScannedCodeList(parsing: input) else { return }
        var filling = SlotFilling(try TrayFile(parsing: Array(trays[0].utf8)))
        for entry in list.entries {
            let words = "\(entry.code.device)".unicodeScalars.map { $0 == "\"" ? "\"\"" : String($0) }
            let again = try ScannedCode(line: "\"\(words.joined())\"")
            try demand(again.device == entry.code.device, "\(words.joined()) is another one")
            let empty = filling.tray.slots.count { $0.device == nil }
            do {
                _ = try filling.fill(with: entry.code, allowing: [.move])
            } catch {
                try demand(filling.tray.slots.count { $0.device == nil } == empty, "a refusal fills a slot")
            }
        }
        let again = try TrayFile(parsing: Array(filling.tray.text.utf8))
        try demand(again == filling.tray, "the filled tray reads differently")
    }

    /// Lines that the page reads.
    private static let runLines = FuzzTarget("run-lines", seeds: { lines.map { Array($0.utf8) } }) { input in
        var state = RunState()
        for (index, line) in input.split(separator: UInt8(ascii: "\n")).enumerated() {
            let time = RecordedTime(milliseconds: Int64(index) * 100)
            guard let event = RunEvent(line: line) else {
                state.noteGap()
                continue
            }
            try demand(RunEvent(line: event.text.utf8) == event, "'\(event.text)' is read differently")
            state.apply(event, at: .milliseconds(time.milliseconds), time: time)
            let shares = state.units.compactMap(\.share)
            try demand(shares.allSatisfy { (0...1).contains($0) }, "\(shares)")
            let left = state.units.compactMap(\.secondsLeft) + [state.secondsLeft(at: .seconds(9)) ?? 0]
            try demand(left.allSatisfy { $0 >= 0 }, "\(left)")
        }
    }

    private static let lines = [
        #"""
        {"adapters":["hci0"],"event":"batch-started","expected":4,"run":"r1","schema":1,"session":1,"tray":null,"units":4}
        {"device":"F0:0D:BE:AC:01:00/random","event":"found","id":null,"model":"S9","rssi":-50,"schema":1,"slot":"A1"}
        {"adapter":"hci0","attempt":1,"device":"F0:0D:BE:AC:01:00/random","event":"attempt","schema":1,"slot":"A1"}
        {"attempt":1,"bytes":1000,"event":"started","file":"a.zip","schema":1,"sha256":"00","slot":"A1","version_to":"2"}
        {"event":"phase","name":"transferring","schema":1,"slot":"A1"}
        {"bytes_per_second":500.0,"event":"progress","percent":25,"schema":1,"sent":250,"slot":"A1","total":1000}
        {"event":"stalled","schema":1,"slot":"A1"}
        {"attempt":1,"event":"attempted","outcome":"failed","schema":1,"seconds":10,"slot":"A1","transfer_seconds":2}
        {"attempts":1,"code":"link-lost","event":"failed","outcome":"failed","schema":1,"slot":"A1","version":"2"}
        """#,
        #"""
        {"adapter":"hci0","event":"links","limit":4,"links":2,"schema":1}
        {"adapter":"hci0","event":"adapter-gone","schema":1}
        {"code":"paused","event":"held","message":"m","schema":1}
        {"code":"paused","event":"released","message":"m","schema":1}
        {"bytes_per_second":48200,"event":"pace","schema":1,"seconds_left":30.5}
        {"code":"stopping","event":"warning","message":"m","schema":1}
        {"event":"batch-finished","exit":0,"limited_by":"air","run":"r1","schema":1,"units":1}
        {"code":"usage","event":"failed","message":"m","next_step":"n","schema":1}
        """#,
    ]

    private static let trays = [
        "tray: 1\nfirmware: a.zip\nslots: [{slot: A1}, {slot: A2}, {slot: A3}, {slot: B1, device: 'id:x'}]\n",
        "{tray: 1, catalogue: {folder: c, channel: beta}, rule: {vendor: kkm, name: 'K*', rssi_above: -70, expected: 48}}",
        "tray: 1\nslots:\n  - {slot: \"\\\"\\u0301\", device: 'ibeacon:FE59/1/2', firmware: /a, }\nlimits: {links: 8}\n",
    ]

    private static let codes = [
        "F00DBEAC0100\r\nf0-0d-be-ac-01-01\nf00d.beac.0102\n",
        "\u{FEFF}slot;code\nA1;\"F0:0D:BE:AC:01:00/public\"\nA2;id:ABCD\n\nA3\tname:Shelf 1\n",
        "\"A\"\"1\" , x\nibeacon:E2C56DB5-DFFB-48D2-B060-D0F5A71096E0/1/2",
    ]
}
