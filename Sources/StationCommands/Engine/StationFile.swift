import BeaconCommands
import Glibc
import YAMLText

/// What `join` has written down: which station this is, whom it works for, and what it trusts. It lies beside the journal, because the
/// engine knows a station by both.
struct StationFile: Equatable {
    var engine: String
    var station: String
    /// Where files are asked for before the engine is; nil for the engine alone.
    var mirror: String?
    /// The key that has to have signed every catalogue, an absolute path; nil where none has to be signed.
    var catalogueKey: String?

    /// What may be written over.
    static let kind = OutputKind.made("file of a station", beginnings: [Array("station: ".utf8)])

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
            let values = try root.values(of: ["station", "engine", "mirror", "catalogue-key"])
            station = try root.required("station", in: values).text()
            engine = try root.required("engine", in: values).text()
            mirror = try values["mirror"]?.text()
            catalogueKey = try values["catalogue-key"]?.text()
        } catch {
            throw CommandFailure(
                "station-invalid", during: "reading the station", message: "\(path): \(error)")
        }
    }

    init(engine: String, station: String, mirror: String? = nil, catalogueKey: String? = nil) {
        (self.engine, self.station) = (engine, station)
        (self.mirror, self.catalogueKey) = (mirror, catalogueKey)
    }

    /// Its text.
    var text: String {
        let members = [
            ("station", station), ("engine", engine), ("mirror", mirror), ("catalogue-key", catalogueKey),
        ]
        return members.compactMap { name, value in value.map { "\(name): \(quoted($0))\n" } }.joined()
    }

    private func quoted(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}
