import Bytes
import FoundationEssentials

/// A cached order: the choice of firmware from the work server's last answer, by which claimed units can be updated
/// while the work server is not reachable.
package struct CachedOrder: Hashable, Sendable {
    package let number: String
    package let firmware: WorkFirmware
    /// The files of the catalogue that chooses the firmware; empty without a catalogue.
    package let files: [PublishedCatalogue.File]

    /// The data of `order`. `catalogue`: the version of the catalogue that the order names; nil if it names none.
    package init(_ order: WorkOrder, by catalogue: PublishedCatalogue? = nil) {
        (number, firmware, files) = (order.number, order.firmware, catalogue?.files ?? [])
    }
}

extension FileCache {
    package func store(_ order: CachedOrder) throws(WorkError) {
        guard let bytes = try? JSONEncoder().encode(Stored(order)) else { return }
        try store(Array(bytes), at: path(ofOrder: order.number), over: Self.form)
    }

    private static let form = FileForm("cached order", beginnings: [Array("{\"".utf8)])

    package func order(_ number: String) -> CachedOrder? {
        guard let bytes = Self.contents(of: path(ofOrder: number)),
            let stored = try? JSONDecoder().decode(Stored.self, from: Data(bytes)), stored.order == number
        else { return nil }
        return CachedOrder(stored)
    }

    private func path(ofOrder number: String) -> String {
        "\(folder)order/\(SHA256Digest.text(of: number.utf8)).json"
    }
}

/// The JSON form of a cached order, with either `file` or `catalogue`, or with neither for the tray's firmware.
private struct Stored: Codable {
    struct File: Codable { let name, sha256: String }

    let order: String
    var file: File?
    var catalogue: Int64?
    var withBeta: Bool?
    var files: [File]?

    init(_ cached: CachedOrder) {
        order = cached.number
        switch cached.firmware {
        case .ofTray: break
        case .file(let name, let sha256): file = File(name: name, sha256: sha256)
        case .catalogue(let version, let beta):
            (catalogue, withBeta) = (version, beta)
            files = cached.files.map { File(name: $0.path, sha256: $0.sha256) }
        }
    }
}

extension CachedOrder {
    fileprivate init(_ stored: Stored) {
        number = stored.order
        files = (stored.files ?? []).map { PublishedCatalogue.File(path: $0.name, sha256: $0.sha256) }
        firmware =
            if let file = stored.file {
                .file(name: file.name, sha256: file.sha256)
            } else if let version = stored.catalogue {
                .catalogue(version: version, withBeta: stored.withBeta ?? false)
            } else { .ofTray }
    }
}
