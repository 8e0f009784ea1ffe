import Bytes
import Identity
import TestSupport
import Tray

extension FuzzTarget {
    /// Texts that people write about a tray, and input of their scanners.
    static let tray = [trayFile, scannedCodes]

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
