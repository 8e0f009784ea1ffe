import BeaconCommands
import Bytes
import Glibc

/// The file that `join` writes: the station's name, its work server, and what it trusts. It is in the journal's folder,
/// because the work server identifies a station by both.
struct StationFile: Equatable {
    var engine: String
    var station: String
    /// The mirror that is tried before the work server; nil for none.
    var mirror: String?
    /// The key that must have signed every catalogue, an absolute path; nil if catalogues need no signature.
    var catalogueKey: String?

    /// The kind of file that may be overwritten.
    static let kind = OutputKind.made("file of a station", beginnings: [Array("station: ".utf8)])

    /// Its path for the journal at `journal`.
    static func path(beside journal: String) -> String {
        let folder = journal.lastIndex(of: "/").map { String(journal[...$0]) } ?? ""
        return folder + "station.yaml"
    }

    /// Reads the file; nil if this bench has not joined.
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
