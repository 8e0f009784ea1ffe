import Bytes
package import Work

/// Operations on files and catalogues by people.
extension WorkServerInMemory {
    /// Stores a file; returns its SHA-256 in lower-case hexadecimal.
    @discardableResult package func put(_ bytes: [UInt8]) -> String {
        let sha256 = HexText.encode(SHA256Digest.digest(bytes))
        work { state, _ in state.files[sha256] = bytes }
        return sha256
    }

    /// Publishes a catalogue; returns its version.
    @discardableResult package func publish(_ files: [(path: String, bytes: [UInt8])]) -> Int64 {
        let named = files.map { PublishedCatalogue.File(path: $0.path, sha256: put($0.bytes)) }
        return work { state, _ in
            let version = Int64(state.catalogues.count) + 1
            state.catalogues.append(
                PublishedCatalogue(version: version, files: named.sorted { $0.path < $1.path }))
            return version
        }
    }

    /// Recalls a version of the catalogue.
    package func withdraw(_ version: Int64, because why: String) throws(WorkError) {
        try work { (state, _) throws(WorkError) in
            let index = try state.index(ofCatalogue: version)
            state.catalogues[index].recall = why
        }
    }

    /// Recalls a file, whether or not the work server has it.
    package func recall(_ sha256: String, because why: String) {
        work { state, _ in state.recalledFiles[sha256] = why }
    }
}

/// Station requests for files and catalogues.
extension WorkServerState {
    func catalogue(since known: Int64?) -> PublishedCatalogue? {
        guard var latest = catalogues.last else { return nil }
        latest.recalledFiles = recalledFiles
        let isNews = latest.version != known || latest.recall != nil || !recalledFiles.isEmpty
        return isNews ? latest : nil
    }

    func catalogue(version: Int64) throws(WorkError) -> PublishedCatalogue {
        var catalogue = catalogues[try index(ofCatalogue: version)]
        catalogue.recalledFiles = recalledFiles
        return catalogue
    }

    fileprivate func index(ofCatalogue version: Int64) throws(WorkError) -> Int {
        guard let index = catalogues.firstIndex(where: { $0.version == version }) else {
            throw .refusal(
                .workServer.catalogueUnknown, "reading the catalogue", "there is no version \(version)")
        }
        return index
    }

    func file(_ sha256: String) throws(WorkError) -> [UInt8] {
        guard let bytes = files[sha256] else {
            throw .refusal(.workServer.fileUnknown, "fetching a file", "there is no file \(sha256)")
        }
        return bytes
    }

    /// Whether what an order installs may still be installed.
    func requireNotRecalled(_ firmware: WorkFirmware, _ during: String) throws(WorkError) {
        let why: String? =
            switch firmware {
            case .file(_, let sha256): recalledFiles[sha256]
            case .catalogue(let version, _): catalogues.first { $0.version == version }?.recall
            case .ofTray: nil
            }
        if let why { throw .refusal(.workServer.firmwareRecalled, during, why) }
    }
}
