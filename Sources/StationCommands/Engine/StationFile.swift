import BeaconCommands
import Glibc
import YAMLText

/// What `join` has written down: which station this is, and whom it works for. It lies beside the journal, because the engine knows a
/// station by both.
struct StationFile: Equatable {
    var engine: String
    var station: String

    /// Where it lies beside the journal at `journal`.
    static func path(beside journal: String) -> String {
        let folder = journal.lastIndex(of: "/").map { String(journal[...$0]) } ?? ""
        return folder + "station.yaml"
    }

    /// What it says; nil where nobody has joined.
    init?(beside journal: String) throws(CommandFailure) {
        let path = Self.path(beside: journal)
        guard access(path, F_OK) == 0 else { return nil }
        let bytes = try FirmwareFile(path: path).bytes
        do throws(YAMLProblem) {
            let root = try YAMLValue(parsing: bytes)
            let values = try root.values(of: ["station", "engine"])
            station = try root.required("station", in: values).text()
            engine = try root.required("engine", in: values).text()
        } catch {
            throw CommandFailure(
                "station-invalid", during: "reading the station", message: "\(path): \(error)")
        }
    }

    init(engine: String, station: String) { (self.engine, self.station) = (engine, station) }

    /// Its text.
    var text: String { "station: \(quoted(station))\nengine: \(quoted(engine))\n" }

    private func quoted(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}
