import ArgumentParser
import BeaconIdentity
import BeaconSessions
import BluetoothTypes
import KBeacon
import Sessions

struct ResetSettings: RunningCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset", abstract: "Bring a beacon to the settings and the password of its factory.",
        discussion: """
            Example: `beacon-dfu config reset --device BC:57:29:02:45:9F --confirm BC:57:29:02:45:9F`.

            Name, identity, periods and password are gone for good. Without --confirm, the address is asked for on a terminal. \
            Of Feasycom's beacons this was never tried with a genuine one.
            """)

    @OptionGroup var session: SessionOptions
    @Option(help: ArgumentHelp("The beacon's address once more.", valueName: "address"))
    var confirm: String?
    @OptionGroup var common: CommonOptions

    var inputs: [String?] { session.inputs }

    var kernelAdapters: Int { session.kernelAdapters }

    func perform(_ console: Console) async throws -> ExitStatus {
        let log = try common.logger(under: outputs)
        let rule = outputs.keeping([common.logFile])
        try await session.withBeacon(console, log: log, under: rule) { found in
            switch found.beacon.identity.family {
            case .feasycom: try await restore(found, console)
            default: try await reset(found, console)
            }
        }
        return .done
    }

    private func reset(_ found: SessionOptions.Found, _ console: Console) async throws {
        let address = found.address
        try found.checkIsKBeacon(for: Self.purpose)
        try await confirm(address, console)
        _ = try await found.withKBeacon(for: Self.purpose) { session in
            try await session.perform { (peer) throws(SessionFailure) in KBeaconExchanges(resetting: peer) }
        }
        console.talk("\(address) was told to forget its settings; seeing whether it has")
        // It does so once the link is gone; a session with the password of the factory is the proof.
        let identity = try await found.withKBeacon(for: Self.purpose, KBeaconSession.factoryPassword) {
            session in
            await session.opened?.identity
        }
        console.event(
            JSONLine(
                "reset",
                [
                    "device": .text(address.description), "maker": .text(KBeaconSettings.maker),
                    "model": .optional(identity?.model), "name": .optional(identity?.name),
                    "proven": .bool(true), "changes": .null,
                ]))
        console.talk("\(address) has the password of its factory")
    }

    static let purpose = "to reset it"

    /// Throws unless somebody has given the beacon's address once more.
    func confirm(_ address: DeviceAddress, _ console: Console) async throws {
        var given = confirm
        if given == nil, TypedLine.isPossible(json: console.style.isJSON) {
            console.talk("All settings of \(address) will be gone. Its address once more:")
            given = try await TypedLine.read()
        }
        guard given.flatMap({ DeviceAddress($0.filter { !$0.isWhitespace }) })?.bytes == address.bytes else {
            throw CommandFailure(
                "reset-unconfirmed", during: "resetting",
                message: given == nil
                    ? "nobody has confirmed that \(address) is meant"
                    : "the beacon is \(address), and what was given is not that address")
        }
    }
}
