import Catalogue

/// The folder of a catalogue.
struct CatalogueFolder {
    let catalogue: Catalogue

    /// Reads every `.yaml` and `.yml` file in it.
    init(path: String) throws(CommandFailure) {
        let names = try FolderListing(path: path).names
        var files: [(name: String, text: [UInt8])] = []
        for name in names where name.hasSuffix(".yaml") || name.hasSuffix(".yml") {
            let file = try FirmwareFile(path: "\(path)/\(name)")
            files.append((file.path, file.bytes))
        }
        guard !files.isEmpty else {
            throw CommandFailure(
                "catalogue-invalid", during: "reading the catalogue",
                message: "\(path) has no .yaml file")
        }
        do throws(CatalogueError) { catalogue = try Catalogue(files: files) } catch {
            throw CommandFailure(
                "catalogue-invalid", during: "reading the catalogue", error.problem, in: error.file)
        }
    }
}
