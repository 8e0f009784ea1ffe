import Bluetooth
import Bytes
import Testing
import UpdateModel

@Suite struct `A file of passwords and PINs` {
    static let text = """
        secrets: 1
        devices:
          "BC:57:29:02:45:9F": Bench-07
          id:KBPro-7: Tisch-08
        models:
          K6_NRF52XX: "0000111122223333"
        vendors:
          kkm: "0000000000000000"
        """

    static func file(_ text: String = text) throws -> SecretsFile {
        try SecretsFile(parsing: Array(text.utf8), vendors: ["kkm", "feasycom"])
    }

    @Test(
        arguments: [
            ("BC:57:29:02:45:9F", "KBPro-7", "K6_NRF52XX", "kkm", "Bench-07"),
            ("BC:57:29:02:45:A0", "kbpro-7", "K6_NRF52XX", "kkm", "Tisch-08"),
            ("BC:57:29:02:45:A0", nil, "k6_nrf52xx", "kkm", "0000111122223333"),
            ("BC:57:29:02:45:A0", "other", "K7", "kkm", "0000000000000000"),
            ("BC:57:29:02:45:A0", nil, nil, "feasycom", nil),
        ] as [(String, String?, String?, String, String?)])
    func `has the entry for a beacon, the most specific first`(
        address: String, id: String?, model: String?, vendor: String, secret: String?
    ) throws {
        let file = try Self.file()
        for kind in [DeviceAddress.Kind.public, .random] {
            let address = try #require(DeviceAddress(address, kind))
            #expect(
                file.secret(of: address, id: id, model: model, vendor: vendor) == secret.map { Secret($0) })
        }
    }

    @Test(arguments: [
        "", "secrets: 2", "devices: {}", "secrets: 1\ndevices: Bench-07",
        "secrets: 1\ndevices: {Bench-07: x}",
        "secrets: 1\nvendors: {Bench-07: x}", "secrets: 1\nvendors: {kkm: [Bench-07]}",
        "secrets: 1\nvendors: {kkm: ''}", "secrets: 1\nvendors: {kkm: Bench-07, kkm: Bench-07}",
        "secrets: 1\nmodels: {a: Bench-07, A: Bench-07}", "secrets: 1\nBench-07",
        "secrets: 1\nvendors: {kkm: Bench-07", "secrets: 1\nBench-07: kkm",
        "secrets: 1\nmodels: {Bench-07: a, Bench-07: b}",
        "secrets: 1\ndevices: {\"it's Bench-07's\": kkm}", "secrets: 1\nvendors: {\"k'Bench'k\": kkm}",
        "secrets: 1\nvendors: {kkm: \(String(repeating: "Bench-07", count: 9))}",
    ])
    func `is refused without printing its content`(text: String) {
        let problem = #expect(throws: YAMLProblem.self) { try Self.file(text) }
        #expect(problem?.excerpt.isEmpty == true)
        #expect(problem?.description.contains("Bench") == false, "\(problem?.description ?? "")")
    }

    @Test func `never prints a secret`() throws {
        let file = try Self.file()
        var text = "\(file) \(String(reflecting: file)) \(file.entries)"
        dump(file, to: &text)
        for secret in ["Bench-07", "Tisch-08", "0000"] { #expect(!text.contains(secret)) }
    }
}
