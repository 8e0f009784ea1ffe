import BlueZ
import Bluetooth
import Simulation
import Testing
import UpdateModel

@testable import CommandKit
@testable import RadioCommands

/// A machine and the one check that it changes.
struct CheckVector: CustomTestStringConvertible, Sendable {
    let name: String
    let survey: BluetoothSurvey
    let check: String
    let verdict: Check.Verdict
    /// Part of the hint; nil for none.
    let remedy: String?
    var exit: UpdateModel.ExitStatus = .done

    var testDescription: String { name }

    static let kernel = KernelRelease("6.12.48-1-amd64")
    static let good = BluetoothSurvey(controllers: [controller()], kernel: kernel)

    static func controller(
        powered: Bool = true, can: Bool = true, lowEnergy: Bool = true,
        discovery: BluetoothSurvey.Discovery = .none, leftovers: String? = nil
    ) -> BluetoothSurvey.Controller {
        BluetoothSurvey.Controller(
            name: "hci0", address: "11:22:33:44:55:66", isPowered: powered, supportsLowEnergy: can,
            isLowEnergyOn: lowEnergy, discovery: discovery, leftovers: leftovers)
    }

    private static func machine(_ controllers: [BluetoothSurvey.Controller]?) -> BluetoothSurvey {
        BluetoothSurvey(controllers: controllers, kernel: kernel)
    }

    static let all = [
        CheckVector(
            name: "no Bluetooth", survey: machine(nil), check: "kernel", verdict: .problem,
            remedy: "--adapter sim", exit: .noAdapter),
        CheckVector(
            name: "no adapter", survey: machine([]), check: "adapter", verdict: .problem,
            remedy: "--adapter sim", exit: .noAdapter),
        CheckVector(name: "all good", survey: good, check: "adapter", verdict: .good, remedy: nil),
        CheckVector(
            name: "off", survey: machine([controller(powered: false)]), check: "adapter", verdict: .problem,
            remedy: "--power-on", exit: .noAdapter),
        CheckVector(
            name: "LE off", survey: machine([controller(lowEnergy: false)]), check: "adapter",
            verdict: .problem, remedy: "btmgmt le on", exit: .noAdapter),
        CheckVector(
            name: "no LE", survey: machine([controller(can: false, lowEnergy: false)]), check: "adapter",
            verdict: .problem, remedy: "Bluetooth 4.0", exit: .noAdapter),
        CheckVector(
            name: "no program scans", survey: good, check: "discovery", verdict: .good, remedy: nil),
        CheckVector(
            name: "another program scans", survey: machine([controller(discovery: .shared)]),
            check: "discovery",
            verdict: .warning, remedy: "bluetoothctl scan off"),
        CheckVector(
            name: "a raw scan", survey: machine([controller(discovery: .refused("failed"))]),
            check: "discovery", verdict: .problem, remedy: "hcitool", exit: .noAdapter),
        CheckVector(
            name: "unknown",
            survey: machine([controller(discovery: .unknown("CAP_NET_ADMIN is missing"))]),
            check: "discovery", verdict: .warning, remedy: "capabilities"),
        CheckVector(
            name: "soft block",
            survey: BluetoothSurvey(controllers: [controller()], block: .soft, kernel: kernel),
            check: "rfkill", verdict: .problem, remedy: "rfkill unblock bluetooth", exit: .noAdapter),
        CheckVector(
            name: "hard block",
            survey: BluetoothSurvey(controllers: [controller()], block: .hard, kernel: kernel),
            check: "rfkill", verdict: .problem, remedy: "switch", exit: .noAdapter),
        CheckVector(
            name: "a capability",
            survey: BluetoothSurvey(
                controllers: [controller()], missingCapabilities: ["CAP_NET_RAW"], kernel: kernel),
            check: "capabilities", verdict: .problem,
            remedy: "sudo setcap cap_net_admin,cap_net_raw+ep /opt/beacon-dfu", exit: .noPermission),
        CheckVector(
            name: "the daemon",
            survey: BluetoothSurvey(controllers: [controller()], hasDaemon: true, kernel: kernel),
            check: "bluetoothd", verdict: .warning, remedy: "bluetoothctl disconnect"),
        CheckVector(
            name: "a daemon that cannot be seen",
            survey: BluetoothSurvey(controllers: [controller()], hasDaemon: nil, kernel: kernel),
            check: "bluetoothd", verdict: .warning, remedy: "root"),
        CheckVector(
            name: "what a killed run left",
            survey: machine([controller(leftovers: "a run that was killed has left hci0 switched on")]),
            check: "leftovers", verdict: .warning, remedy: "btmgmt --index hci0 power off"),
        CheckVector(
            name: "a kernel that loses channels",
            survey: BluetoothSurvey(controllers: [controller()], kernel: KernelRelease("6.1.0-56-amd64")),
            check: "kernel-fault", verdict: .note, remedy: "bluetoothd"),
        CheckVector(
            name: "an old kernel",
            survey: BluetoothSurvey(controllers: [controller()], kernel: KernelRelease("4.15.0-20")),
            check: "kernel", verdict: .warning, remedy: "5.10"),
    ]
}

@Suite struct `The doctor` {
    @Test(
        arguments: [
            (nil, "on, with Low Energy"),
            (.init(), "PHY 1M, 2M; hears extended advertising, not on LE Coded"),
            (.init(phys: [.le1M], hasExtended: false), "PHY 1M; hears no extended advertising"),
            (
                .init(phys: [.le1M, .leCoded]),
                "PHY 1M, coded; hears extended advertising, on LE Coded with --coded"
            ),
            (
                .init(phys: [.le1M, .leCoded], isCodedSelected: true),
                "PHY 1M, coded; hears extended advertising, also on LE Coded"
            ),
        ] as [(BluetoothSurvey.Radio?, String)])
    func `says what an adapter claims`(_ radio: BluetoothSurvey.Radio?, _ words: String) {
        let controller = BluetoothSurvey.Controller(
            name: "hci0", address: "11:22:33:44:55:66", radio: radio)
        #expect(Check.controller(controller).message.hasSuffix(words))
        let exclusive = words.replacing("on LE Coded with --coded", with: "also on LE Coded")
        #expect(Check.controller(controller, isExclusive: true).message.hasSuffix(exclusive))
        let checks = Check.list(
            BluetoothSurvey(controllers: [controller], kernel: KernelRelease("6.12.0")), adapters: [],
            isExclusive: true, program: "beacon-dfu")
        #expect(checks.contains { $0.message.hasSuffix(exclusive) })
    }

    @Test(
        arguments: [
            (SimulatedController(), "PHY 1M, 2M, coded; hears extended advertising, also on LE Coded"),
            (
                .init(name: "near", hears: .extended2M, canSelectCoded: true),
                "PHY 1M, 2M, coded; hears extended advertising, on LE Coded with --coded"
            ),
            (.init(hears: .extended2M), "PHY 1M, 2M; hears extended advertising, not on LE Coded"),
            (.init(hears: .legacy), "PHY 1M, 2M; hears no extended advertising"),
        ] as [(SimulatedController, String)])
    func `says what a simulated adapter has`(_ controller: SimulatedController, _ words: String) {
        let check = Check.controller(controller)
        #expect(check.message == "\(controller.name): simulated beacons need nothing; \(words)")
        #expect(check.name == "adapter" && check.verdict == .good)
    }

    @Test(arguments: CheckVector.all)
    func `judges each thing separately, with a hint`(_ vector: CheckVector) throws {
        let checks = Check.list(vector.survey, adapters: [], program: "/opt/beacon-dfu")
        let check = try #require(checks.first { $0.name == vector.check })
        #expect(check.verdict == vector.verdict, "\(check)")
        #expect((check.remedy == nil) == (vector.remedy == nil))
        if let remedy = vector.remedy { #expect(check.remedy?.contains(remedy) == true, "\(check)") }
        #expect((checks.first { $0.verdict == .problem }?.exit ?? .done) == vector.exit)
        for other in checks where other.name != vector.check { #expect(other.verdict == .good, "\(other)") }
    }

    /// That is what a killed run leaves which had the adapter to itself.
    @Test func `says how to switch an adapter on that a killed run left off`() throws {
        let off = CheckVector.controller(powered: false, leftovers: "a run has left hci0 switched off")
        let survey = BluetoothSurvey(controllers: [off], kernel: CheckVector.kernel)
        let checks = Check.list(survey, adapters: [], program: "")
        let check = try #require(checks.first { $0.name == "leftovers" })
        #expect(check.remedy?.contains("btmgmt --index hci0 power on`") == true, "\(check)")
    }

    @Test func `prints one sentence if there is no Bluetooth`() {
        let none = BluetoothSurvey(
            controllers: nil, block: .hard, missingCapabilities: ["CAP_NET_RAW"], hasDaemon: true,
            kernel: CheckVector.kernel)
        #expect(Check.list(none, adapters: [], program: "").count == 1)
    }

    @Test func `checks only the named adapter, and lists those that exist`() {
        let checks = Check.list(CheckVector.good, adapters: [.number(1)], program: "")
        let adapter = checks.first { $0.name == "adapter" }
        #expect(adapter?.verdict == .problem && adapter?.remedy == "present: hci0 (11:22:33:44:55:66)")
        #expect(!checks.contains { $0.name == "discovery" })
        let other = Check.list(
            CheckVector.good, adapters: [.number(1)], from: "BEACON_DFU_ADAPTER", program: "")
        #expect(
            other.first { $0.name == "adapter" }?.remedy
                == "present: hci0 (11:22:33:44:55:66); the adapter is from BEACON_DFU_ADAPTER")
    }

    private static func pair(_ second: String = "00:1B:DC:07:00:02", isPowered: Bool = true)
        -> BluetoothSurvey
    {
        let other = BluetoothSurvey.Controller(name: "hci1", address: second, isPowered: isPowered)
        return BluetoothSurvey(controllers: [CheckVector.controller(), other], kernel: CheckVector.kernel)
    }

    private static func adapters(_ names: String...) -> [ControllerName] {
        names.compactMap { ControllerName($0) }
    }

    @Test(arguments: [
        adapters("hci0", "hci1"), adapters("hci1", "hci0"), adapters("hci0", "00:1B:DC:07:00:02"), [],
    ])
    func `checks every named adapter, not only the first`(_ names: [ControllerName]) {
        let good = Check.list(Self.pair(), adapters: names, program: "").filter { $0.name == "adapter" }
        #expect(good.map(\.verdict) == [.good, .good])
        let off = Check.list(Self.pair(isPowered: false), adapters: names, program: "")
        #expect(
            off.contains { $0.name == "adapter" && $0.verdict == .problem && $0.message.contains("hci1") })
    }

    @Test func `names each missing adapter, and checks the others`() {
        let checks = Check.list(
            Self.pair(), adapters: Self.adapters("hci1", "hci7", "00:00:00:00:00:09"), program: ""
        ).filter { $0.name == "adapter" }
        #expect(
            checks.filter { $0.verdict == .problem }.map(\.message) == [
                "there is no hci7", "there is no 00:00:00:00:00:09",
            ])
        #expect(checks.contains { $0.verdict == .good && $0.message.contains("hci1 (00:1B:DC:07:00:02)") })
        #expect(checks[0].remedy == "present: hci0 (11:22:33:44:55:66), hci1 (00:1B:DC:07:00:02)")
    }

    @Test func `finds an address ambiguous that two adapters have`() throws {
        let twins = Self.pair("11:22:33:44:55:66")
        let checks = Check.list(twins, adapters: Self.adapters("11:22:33:44:55:66"), program: "")
        let check = try #require(checks.first { $0.verdict == .problem })
        #expect(check.message == "hci0 and hci1 have the same address 11:22:33:44:55:66")
        #expect(check.remedy == "select one by its number: --adapter hci0")
    }

    @Test func `quotes commands so that a shell reads them as intended`() {
        let survey = BluetoothSurvey(
            controllers: [], missingCapabilities: ["CAP_NET_ADMIN"], kernel: CheckVector.kernel)
        let check = Check.list(survey, adapters: [], program: "/opt/my tools;it's/beacon-dfu")
            .first { $0.name == "capabilities" }
        #expect(check?.remedy?.contains(#"+ep '/opt/my tools;it'\''s/beacon-dfu';"#) == true)
        #expect(check?.remedy?.contains("chmod 750") == true)
    }

    @Test func `names what is missing and what it is for`() {
        let survey = BluetoothSurvey(
            controllers: [], missingCapabilities: ["CAP_NET_ADMIN"], kernel: CheckVector.kernel)
        let check = Check.list(survey, adapters: [], program: "").first { $0.name == "capabilities" }
        #expect(check?.message == "missing: CAP_NET_ADMIN for scanning, link parameters and pairing")
    }

    @Test(arguments: [("3.16.7", 3), ("3.17", 2), ("4.18.0", 2), ("4.19.1", 1), ("5.9-rc1", 1)])
    func `reports what an old kernel lacks`(_ release: String, _ count: Int) {
        #expect(Check.kernel(KernelRelease(release)).message.split(separator: "needs").count == count + 1)
    }

    @Test(arguments: [
        "5.10", "5.10.0-rc1", "6.1.0", "10.0", "unknown", "", "6", ".", "6.x", "99999999999999999999.1",
    ])
    func `finds nothing wrong with a new or unreadable kernel version`(_ release: String) {
        #expect(Check.kernel(KernelRelease(release)).verdict == .good)
    }
}
