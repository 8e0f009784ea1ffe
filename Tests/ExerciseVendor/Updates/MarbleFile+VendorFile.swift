import Bytes
import UpdateModel

extension FirmwareKind {
    static let marble = FirmwareKind(rawValue: "marble")
}

extension MarbleFile: VendorFile {
    var kind: FirmwareKind { .marble }
    var usualExtension: String { ".marble" }
    var optionTypes: [any VendorOptions.Type] { [MarbleOptions.self] }
    var risks: Set<Risk> { [.sameVersion] }

    var summary: PackageSummary {
        PackageSummary([
            PackageSummary.Part(
                "application", bytes: body.count,
                version: FirmwareVersion(version, at: Finding.Place(offset: 20, field: "version")))
        ])
    }

    var built: BuildMoment? {
        BuildMoment(builtAt, at: Finding.Place(offset: 32, field: "built"), ordersReleases: false)
    }

    var inspection: FileInspection {
        FileInspection(
            "Marble firmware",
            facts: [
                "board": .integer(Int(board)), "version": .text(version), "body_bytes": .integer(length),
                "crc32": .text(HexText.digits(crc)), "built": .text(UnixTime.text(builtAt)),
            ],
            sections: [
                FileInspection.Section(
                    nil,
                    [
                        FileInspection.Row("board", board == 0 ? "any" : "\(board)"),
                        FileInspection.Row("version", "\(version)"),
                        FileInspection.Row("body", "\(length) bytes at 20"),
                        FileInspection.Row("CRC-32", "\(HexText.digits(crc))"),
                        FileInspection.Row("built", "\(UnixTime.text(builtAt))"),
                    ])
            ])
    }

    func findings(_ options: UpdateOptions) -> [Finding] { findings }

    func mismatch(with model: DeviceModel) -> Finding? {
        guard let wanted = model.facts.number("board"), board != 0, wanted != board else { return nil }
        return Finding(
            .finding.catalogueMismatch, .error, offset: 5, field: "board",
            "is \(board), and \(model.name) has \(wanted)")
    }

    func answers(of device: TargetDevice, _ options: UpdateOptions) -> [Answer] {
        guard board != 0 else { return [.pass] }
        guard let known = device.number("board") else { return [.needs("board")] }
        guard known != board else { return [.pass] }
        return [
            .refuse(
                id: .device.hardwareVersionMismatch, code: "E1",
                "the file is for board \(board), the target is board \(known)")
        ]
    }

    func plan(_ options: UpdateOptions) throws(PlanRefusal) -> UpdatePlan {
        if let error = findings.firstError { throw .file(error) }
        return UpdatePlan(MarbleProcedure(self, options), entry: nil, over: MarbleService.uuid)
    }
}
