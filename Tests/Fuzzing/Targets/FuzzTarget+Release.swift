import Bytes
import Firmware
import Nordic
import TestSupport
import UpdateModel

extension FuzzTarget {
    /// The release gate, and the texts that people write for it.
    static let release = [gate, rulesFile, catalogueFile, targetText]

    private static let gate = FuzzTarget(
        "gate",
        seeds: {
            try ["nordic", "dialog", "feasycom", "hex", "malformed"].flatMap { folder in
                try Samples.names(in: folder).map(Samples.bytes)
            }.filter { $0.count <= 16_384 }
        },
        check: { input in
            var gate = Gate()
            gate.options[NordicOptions.self].key = NordicPublicKey(hex: keyDigits)
            gate.now = 1_790_000_000
            gate.catalogue = try Catalogue(files: [("c", Array(catalogues[2].utf8))])
            for text in targets {
                gate.target = try TargetDevice(parsing: text)
                let report = gate.report(on: input, named: "input.zip")
                for finding in report.findings {
                    try demand(Rule.named(finding.id) != nil, "\(finding.id) is not a rule")
                    let offset = finding.place.offset ?? 0
                    try demand((0...input.count).contains(offset), "\(finding) is not in the file")
                }
                if case .refused? = report.verdict {
                    try demand(!report.isPassed, "a refused file that passes")
                }
                _ = JUnitReport.text([report], seconds: 0)
            }
        })

    private static let rulesFile = FuzzTarget(
        "rules-file",
        seeds: {
            [
                "rules: {unsigned: off, debug: note}\nfile-name: ['a*', b?]", "rules:\n  - x", "{",
                "a: &b [*b]",
            ]
            .map { Array($0.utf8) }
        },
        check: { input in
            do {
                let rules = try RuleSet(parsing: input)
                for rule in Rule.all { _ = rules.level(of: rule) }
            } catch let problem as YAMLProblem {
                try demand(problem.line ?? 1 >= 0, "\(problem)")
            }
        })

    private static let catalogueFile = FuzzTarget(
        "catalogue", seeds: { catalogues.map { Array($0.utf8) } },
        check: { input in
            do {
                let catalogue = try Catalogue(files: [("c", input)])
                try demand(catalogue.changes(since: catalogue).isEmpty, "differs from itself")
                _ = catalogue.findings
                for model in catalogue.families {
                    var device = CatalogueDevice()
                    (device.model, device.version, device.hardware) = (
                        model.name, model.newest?.version, "V1"
                    )
                    let match = catalogue.match(device)
                    try demand(
                        match.chosen?.version != device.version || device.version == nil,
                        "the installed version again")
                }
            } catch is CatalogueError {}
            let kind = FirmwareKind(rawValue: "nordic-secure")
            for draft in [
                try? CatalogueDraft(namingUnits: input, model: "A", by: .dotted),
                try? CatalogueDraft(metainfo: input, model: "A", kind: kind, by: nil),
            ] { _ = CatalogueDraft.lines(draft.map { [$0] } ?? []) }
            if let draft = try? CatalogueDraft(keyedByHardware: input, model: "A", kind: kind, by: .dotted) {
                _ = CatalogueDraft.lines([draft])
                _ = draft.disordered
            }
            if let (seal, signature) = try? CatalogueSeal.parse(input) {
                let again = try CatalogueSeal.parse(Array(seal.text(signature: signature).utf8))
                try demand(again == (seal, signature), "the seal reads differently")
            }
        })

    private static let targetText = FuzzTarget(
        "target", seeds: { targets.map { Array($0.utf8) } },
        check: { input in
            do throws(TargetProblem) {
                _ = try TargetDevice(parsing: String(decoding: input, as: UTF8.self))
            } catch { _ = "\(error)" }
        })

    /// A public key as nrfutil prints it.
    static let keyDigits =
        "b69ff2602e6269e66cfa613b92b849c0686d35c674eb61c9319d5a25bad4fe60"
        + "992246d494c2a377519f7e2d0cb2f1f264bc2856e9e91aa499bcb80810fe0379"

    private static let targets = [
        "model=A,hardware=52,version=1,softdevice=0x98,sdk=14.2,bootloader=0",
        "model=A,hardware=0x34,version=1.2.3,softdevice=none,signed=no,room=1000,timestamp=1700000000,chip=58x,bank=9",
    ]

    private static let catalogues = [
        "seal: 1\nexpires: 1800000000\nfiles:\n  - {name: a.yaml, sha256: abcd}\nsignature: 00ff\n",
        "{\"V3.0\": [{\"appVersion\": \"V5.20\", \"appFileName\": \"a.zip\", \"note\": \"text\"}]}",
        "{catalogue: 1, models: [{model: A, kind: nordic-secure, firmware: [{version: 1}, {version: 1.10}]}]}",
        "catalogue: 1\nvendor: V\nmodels:\n  - model: B\n    kind: suota\n    header: 58x\n    firmware:\n"
            + "      - {version: v_1.2, timestamp: 5}\n",
        "catalogue: 1\nmodels:\n  - {model: C, kind: suota, versions: dotted, recognised_by: {model: 'C*', number: 5},\n"
            + "     flash: {bank: 2}, firmware: [{version: 3, hardware_versions: [V1], through: 2}, {version: 2,\n"
            + "     minimum_installed: 1, channel: beta}, {version: 1, withdrawn: bad}]}\n",
    ]
}
