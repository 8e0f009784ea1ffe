import ArgumentParser
import Bluetooth
import CommandKit
import Feasycom
import Identity
import KKM
import UpdateEngine
import UpdateModel

struct ResetSettings: RunningCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset", abstract: "Restore the factory settings and password of a beacon.",
        discussion: """
            Example: `beacon-dfu config reset --device BC:57:29:02:45:9F --confirm BC:57:29:02:45:9F`.

            Name, identity, periods and password are lost. Without --confirm, the address has to be typed on a terminal. This was \
            never tried with a genuine Feasycom beacon.
            """)

    @OptionGroup var session: SessionOptions
    @Option(help: ArgumentHelp("The beacon's address again, as a confirmation.", valueName: "address"))
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
        console.talk("\(address) was told to reset its settings; checking whether it has")
        // It resets once the link is closed; a session with the factory password verifies that.
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
        console.talk("\(address) has its factory password")
    }

    static let purpose = "to reset it"

    /// Throws unless the beacon's address was given again.
    func confirm(_ address: DeviceAddress, _ console: Console) async throws {
        var given = confirm
        if given == nil, TypedLine.isPossible(json: console.style.isJSON) {
            console.talk("All settings of \(address) will be lost. Type its address again:")
            given = try await TypedLine.read()
        }
        guard given.flatMap({ DeviceAddress($0.filter { !$0.isWhitespace }) })?.bytes == address.bytes else {
            throw CommandFailure(
                .command.resetUnconfirmed, during: "resetting",
                message: given == nil
                    ? "the reset of \(address) was not confirmed"
                    : "the beacon is \(address), but another address was given")
        }
    }
}

/// The option that allows risky changes of settings.
struct LockOutOptions: ParsableArguments {
    private static let names = LockOut.allCases.map(\.rawValue).joined(separator: ", ")

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "Allow a change that may lock you out of the beacon: \(names).", valueName: "name"),
        transform: { text in
            guard let risk = LockOut(rawValue: text) else {
                throw ValidationError("'\(text)' is not one of \(names)")
            }
            return risk
        })
    var force: [LockOut] = []

    /// The allowed changes.
    var permitted: Set<LockOut> { Set(force) }
}
