import ByteCoding
import NordicDFU
import UpdateCore

extension FlashJob {
    /// A package of Legacy DFU: one part, or a system part and the application that runs on it.
    init(_ package: LegacyPackage, key: NordicPublicKey?, path: String) throws(CommandFailure) {
        do throws(PackageError) { try package.checkBeforeFlashing(key: key) } catch {
            throw CommandFailure(error, in: path)
        }
        let parts = package.parts
        guard let first = parts.first, let last = parts.last else {
            throw CommandFailure(
                "package-empty", during: "reading the package", message: "\(path) has no parts")
        }
        self.init(
            path: path, kind: "nordic-legacy", bytes: package.imageBytes,
            version: last.versionText,
            summary: "\(path): " + parts.map(\.summary).joined(separator: "; then "),
            warnings: package.findings(key: key).filter { $0.level == .warning }
                .map { Warning(id: $0.id, text: $0.description) }, service: LegacyService.uuid,
            parts: parts.map(\.role.title), hasApplication: last.role == .application,
            procedure: { wishes in
                PartSequence(first.update(wishes), parts.dropFirst().map { $0.update(wishes) })
            },
            entry: { LegacyEntry() })
    }
}

extension LegacyPart {
    fileprivate func update(_ wishes: FlashJob.Wishes) -> PartSequence.Part {
        (
            role.title,
            LegacyProcedure(
                LegacyImage(self), receiptInterval: wishes.receiptInterval, versionText: wishes.versionText,
                allowing: wishes.risks)
        )
    }

    /// The version in the init packet; nil where it names none.
    fileprivate var versionText: String? {
        initPacket.flatMap { $0.applicationVersion == .max ? nil : String($0.applicationVersion) }
    }

    fileprivate var summary: String {
        "\(role.title), \(Quantities.bytes(image.count)), version \(versionText ?? "unknown"), Legacy DFU"
    }
}
