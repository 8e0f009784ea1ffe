import ByteCoding
import DialogSUOTA
import UpdateCore

extension FlashJob {
    /// A single image for Dialog's SUOTA, which the running application takes.
    init(_ image: SUOTAImage, path: String) throws(CommandFailure) {
        let findings = image.findings()
        if let error = findings.firstError { throw CommandFailure(error, in: path) }
        let version = image.header.version
        let versionText = version.isText && !version.text.isEmpty ? version.text : nil
        self.init(
            path: path, kind: "suota", bytes: image.bytes.count, version: versionText,
            summary: "\(path): \(image.header.family.chips), \(Quantities.bytes(image.bytes.count)), version "
                + (versionText ?? "unknown") + (image.header.isEncrypted ? ", encrypted" : ""),
            warnings: findings.filter { $0.level == .warning }.map {
                Warning(id: $0.id, text: "\(path): \($0)")
            },
            service: SUOTAService.uuid,
            advice: { image.header.family == .da1458x ? Self.pinAdvice($0.suota) : [] },
            check: { (wishes) throws(UpdateFailure) in try SUOTAProcedure(image, wishes.suota).check() },
            procedure: { wishes in SUOTAProcedure(image, wishes.suota) }, entry: { nil })
    }

    /// A device does not say where its memory is, and takes the word of whoever sends.
    private static func pinAdvice(_ wishes: SUOTAWishes) -> [Warning] {
        guard !wishes.namesPins else { return [] }
        return [
            Warning(
                id: "default-pins",
                text: "neither --pins nor --profile was given: the device is told that its memory is at "
                    + "\(PinMap.vendorSPI), as on the chip maker's own boards; a product that is wired otherwise refuses "
                    + "with wrong-pins")
        ]
    }
}
