import ArgumentParser
import Bytes
import CommandKit
import UpdateModel
import Work
import WorkServer

struct CreateOrder: AdminCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Create a work order, as a draft that `release` opens.",
        discussion: """
            Examples: `beacon-dfu-station order create WO-17 --firmware lamp-2.1.zip --expected 500`; \
            `beacon-dfu-station order create WO-18 --firmware lamp-2.1.zip --units units.txt --golden 2`.
            """)

    @Argument(help: "The order's number.") var number: String
    @Option("The package for every unit.", valueName: "file", completion: .file()) var firmware: String?
    @Option("The version of the published catalogue that chooses the firmware.", valueName: "version")
    var catalogue: Int64?
    @Flag(help: "With --catalogue: also releases of the channel beta.") var beta = false
    @Option(
        "The expected number of units. Without --units each claimed beacon becomes a unit, up to this number.",
        valueName: "units")
    var expected: Int?
    @Option(
        "A list of its units, one per line: an address with /public or /random, or id:TEXT; several keys of one unit on the same line.",
        valueName: "file", completion: .file())
    var units: String?
    @Option(
        "The number of golden units: they have to pass, and an approver has to release the order, before the others begin.",
        valueName: "units")
    var golden = 0
    @Option("How often a unit may fail before `retry` is needed.", valueName: "times") var attempts = 1
    @Option("Hold after this many failures in a row.", valueName: "units") var holdAfter: Int?
    @Option("Hold after this many failures of the last units, for example 5/20.", valueName: "share")
    var holdAt: String?
    @Option("Hold after this many failures for one reason.", valueName: "units") var holdSameCause: Int?
    @OptionGroup var mirror: MirrorOptions
    @OptionGroup var server: ServerOptions

    var inputs: [String?] { [firmware, units] }

    func validate() throws {
        try require(firmware == nil || catalogue == nil, "give --firmware or --catalogue, not both")
        try require(
            units != nil || expected != nil, "name its units with --units, or their number with --expected")
        let least = [("--expected", expected ?? 1, 1), ("--golden", golden, 0), ("--attempts", attempts, 1)]
        for (name, value, bound) in least where !(bound...Int(Int32.max)).contains(value) {
            throw ValidationError("\(name) must be at least \(bound)")
        }
        _ = try stopRule
    }

    private var stopRule: StopRule {
        get throws {
            var share: StopRule.Share?
            if let holdAt {
                let parts = holdAt.split(separator: "/").compactMap { Int($0) }
                guard parts.count == 2, parts[0] > 0, parts[1] >= parts[0] else {
                    throw ValidationError("--hold-at is FAILURES/UNITS, for example 5/20")
                }
                share = StopRule.Share(parts[0], ofLast: parts[1])
            }
            return StopRule(consecutive: holdAfter, share: share, sameCause: holdSameCause)
        }
    }

    func perform(with admin: WorkServerAdmin, _ console: Console) async throws -> ExitStatus {
        let list = try units.map { (path) throws(CommandFailure) in try UnitList(path: path) }
        let ordered: WorkFirmware
        if let firmware {
            let file = try FileContent(path: firmware)
            _ = try file.vendorFile()
            try mirror.keep([file.bytes])
            ordered = .file(name: firmware.lastName, sha256: try await admin.put(file.bytes))
        } else if let catalogue {
            ordered = .catalogue(version: catalogue, withBeta: beta)
        } else {
            ordered = .ofTray
        }
        try await admin.create(
            OrderPlan(
                number, ordered, expected: expected ?? list?.units.count, isListed: list != nil,
                golden: golden, attempts: attempts, stopRule: try stopRule), units: list?.units ?? [])
        let count = list?.units.count ?? 0
        return console.done(
            "order-created", ["order": .text(number), "units": .integer(count)],
            "order \(number) is a draft with \(Quantities.count(count, "unit"))",
            next: "next: beacon-dfu-station release \(number)")
    }
}
