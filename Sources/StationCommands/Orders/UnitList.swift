import BeaconCommands
import Identity
import Tray
import WorkServer

/// A list of units: one line per unit, with its possible keys; `#` starts a comment.
struct UnitList {
    let units: [UnitPlan]

    init(path: String) throws(CommandFailure) {
        let text = String(decoding: try FirmwareFile(path: path).bytes, as: UTF8.self)
        var units: [UnitPlan] = []
        var seen: [String: Int] = [:]
        for (index, line) in text.split(whereSeparator: \.isNewline).enumerated() {
            let words = line.prefix { $0 != "#" }.split { $0 == " " || $0 == "\t" || $0 == "," }
            guard !words.isEmpty else { continue }
            var keys: [String] = []
            for word in words {
                guard let selector = DeviceSelector(String(word)) else {
                    throw Self.flaw(path, index, "'\(word)' is neither an address nor id:TEXT")
                }
                keys += selector.meanings
            }
            for key in keys {
                if let other = seen[key] { throw Self.flaw(path, index, "\(key) is also in line \(other)") }
                seen[key] = index + 1
            }
            units.append(UnitPlan(keys, selector: String(words[0])))
        }
        guard !units.isEmpty else {
            throw CommandFailure(
                "unit-list-invalid", during: "reading the list of units", message: "\(path) lists no units")
        }
        self.units = units
    }

    private static func flaw(_ path: String, _ index: Int, _ words: String) -> CommandFailure {
        CommandFailure(
            "unit-list-invalid", during: "reading the list of units",
            message: "\(path), line \(index + 1): \(words)")
    }
}
