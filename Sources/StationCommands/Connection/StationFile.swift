import Bytes
import CommandKit
import Glibc
import Tray
import UpdateModel
import Work

/// The file that `join` writes: the station's name, its work server, and what it trusts. It is in the journal's folder,
/// because the work server identifies a station by its name and its journal.
struct StationFile: Equatable {
    /// The connection string of the work server, without a password.
    let connection: String
    let station: String
    /// The mirror that is tried before the work server; nil for none.
    let mirror: String?
    /// The key that must have signed every catalogue, an absolute path; nil if catalogues need no signature.
    let catalogueKey: String?

    /// The kind of file that `join` may overwrite.
    static let kind = OutputKind.format("file of a station", beginnings: [Array("station: ".utf8)])

    static func path(beside journal: String) -> String { journal.folderPrefix + "station.yaml" }

    var text: String {
        let members = [
            ("station", station), ("engine", connection), ("mirror", mirror), ("catalogue-key", catalogueKey),
        ]
        return members.compactMap { name, value in value.map { "\(name): \(QuotedScalar.text($0))\n" } }
            .joined()
    }
}

extension StationFile {
    /// Reads the file; nil if this bench has not joined.
    init?(beside journal: String) throws(CommandFailure) {
        let path = Self.path(beside: journal)
        guard access(path.systemPath, F_OK) == 0 else { return nil }
        let bytes = try FileContent(path: path).bytes
        do throws(YAMLProblem) {
            let root = try YAMLValue(parsing: bytes)
            let values = try root.values(of: ["station", "engine", "mirror", "catalogue-key"])
            station = try root.required("station", in: values).text()
            connection = try root.required("engine", in: values).text()
            mirror = try values["mirror"]?.text()
            catalogueKey = try values["catalogue-key"]?.text()
        } catch {
            throw CommandFailure(
                .workServer.stationInvalid, during: "reading the station", message: "\(path): \(error)")
        }
    }

    /// Reads the file of a bench that has to have joined.
    static func required(beside journal: String) throws(CommandFailure) -> StationFile {
        guard let joined = try StationFile(beside: journal) else {
            throw CommandFailure(
                .workServer.stationUnknown, during: "looking for the station",
                message: "this bench has not joined a work server")
        }
        return joined
    }
}
