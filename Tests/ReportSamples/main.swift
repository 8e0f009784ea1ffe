// Writes reports of invented runs into the folder in its argument, for `scripts/report-pictures`.
import Foundation
import Tray
import TraySamples

let folder = CommandLine.arguments.dropFirst().first ?? "."
let made = RecordedTime(milliseconds: 1_795_424_400_000)
for count in [48, 500] {
    let record = SampleRecord.run(units: count)
    let texts = [
        "html": TrayPage(record, made: made, version: "0.1.0").text, "csv": UnitSheet(record).text,
        "kkm.csv": KKMSheet(record).text, "xml": record.junit,
    ]
    for (kind, text) in texts {
        try Data(text.utf8).write(to: URL(filePath: "\(folder)/tray-\(count).\(kind)"))
    }
}
