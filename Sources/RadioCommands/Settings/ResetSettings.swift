import ArgumentParser
import Bluetooth
import Bytes
import CommandKit
import Firmware
import Synchronization
import UpdateEngine
import UpdateModel

struct ResetSettings: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset", abstract: "Restore the factory settings and password of a beacon.",
        discussion: """
            Example: `beacon-dfu config reset --device BC:57:29:02:45:9F --confirm BC:57:29:02:45:9F`.

            Name, identity, periods and password are lost. Without --confirm, the address has to be typed on a terminal. This was \
            never tried with a genuine \(untried).
            """)

    /// The beacons whose reset is known from their maker's guide only.
    private static var untried: String {
        KnownVendors.withSessions.compactMap { vendor in
            if case .settings? = (vendor as? any ResetVendor)?.resetProof { vendor.beaconNoun } else { nil }
        }.joined(separator: " or ")
    }

    @OptionGroup var session: SessionOptions
    @Option("The beacon's address again, as a confirmation.", valueName: "address") var confirm: String?
    @OptionGroup var common: CommonOptions

    func perform(_ console: Console) async throws -> ExitStatus {
        try await withBeacon(console) { found in
            try await run(found, try found.vendor(as: (any ResetVendor).self, for: "to reset it"))
        }
        return .done
    }

    private func run(_ found: SessionOptions.Found, _ vendor: some ResetVendor) async throws {
        let console = found.console
        try await confirm(found.address, console)
        let proof: [String: JSONValue]
        switch vendor.resetProof {
        case .factorySecret: proof = try await reset(found, vendor)
        case .settings(let command, let untried, let name):
            console.warn(.command.restoreUntried, untried)
            proof = try await compare(found, vendor, command, name: name)
        }
        console.event(JSONLine("reset", proof).adding(["device": .text(found.address.description)]))
        if case .factorySecret = vendor.resetProof {
            console.notice("\(found.address) has its factory password")
        }
    }

    /// Resets the beacon. A session with the factory password verifies that.
    private func reset(
        _ found: SessionOptions.Found, _ vendor: some ResetVendor
    ) async throws -> [String: JSONValue] {
        let address = found.address
        let unanswered = try await send(found, vendor)
        let factory = vendor.secretRules?.factory
        let isFactory = (found.secrets.secret(of: found.beacon, vendor) ?? factory) == factory
        if let unanswered, isFactory || unanswered.code == .system.interrupted {
            throw unproven(unanswered, address, isFactory: isFactory)
        }
        found.console.notice(
            unanswered == nil
                ? "\(address) was told to reset its settings; checking whether it has"
                : "\(address) did not confirm its reset; checking whether it has its factory password")
        let facts: [String: Fact]
        do { facts = try await reading(found, vendor, by: factory) } catch {
            let failure = CommandFailure(from: error)
            guard failure.code == .session.passwordWrong else {
                throw unproven(failure, address, isFactory: isFactory)
            }
            throw unanswered.map {
                CommandFailure(
                    $0.code, during: $0.during,
                    message: "\($0.message); it was not reset: its factory password is wrong",
                    nextStep: $0.nextStep)
            } ?? failure
        }
        return [
            "maker": .text(vendor.name), "model": JSONValue(facts["model"] ?? .absent),
            "name": JSONValue(facts["name"] ?? .absent), "proven": .bool(true), "changes": .null,
        ]
    }

    /// Requests the reset; returns why there is no answer, if the beacon may have been reset without one.
    private func send(
        _ found: SessionOptions.Found, _ vendor: some ResetVendor
    ) async throws -> CommandFailure? {
        let isSent = Mutex(false)
        do {
            try await found.withSession(vendor) { session in
                isSent.withLock { $0 = true }
                _ = try await session.perform { vendor.resetting($0) }
            }
        } catch let error where isSent.withLock({ $0 }) {
            let failure = CommandFailure(from: error)
            guard !failure.code.isRefusal else { throw failure }
            return failure
        }
        return nil
    }

    /// What the beacon reports in a session with its `factory` password, which is tried again if the link is lost.
    private func reading(
        _ found: SessionOptions.Found, _ vendor: some ResetVendor, by factory: Secret?
    ) async throws -> [String: Fact] {
        var left = Self.attempts
        while true {
            left -= 1
            do {
                return try await found.perform(vendor, by: factory) { vendor.reading(of: $0) }.facts
            } catch let failure as CommandFailure where failure.exit == .tryAgain && left > 0 {}
        }
    }

    /// How often to connect to a beacon that no longer answers.
    private static let attempts = 3

    /// The failure if it is not known whether the beacon was reset; `isFactory`: its password was the factory
    /// password before.
    private func unproven(
        _ cause: CommandFailure, _ address: DeviceAddress, isFactory: Bool
    ) -> CommandFailure {
        CommandFailure(
            cause.code == .system.interrupted ? cause.code : .command.resetUnproven, during: "resetting",
            message: "\(address) may have been reset, and then has its factory password and name: "
                + cause.message,
            nextStep: isFactory
                ? "run the same command again; its password is the factory password, reset or not"
                : "try `beacon-dfu info --device \(address)`: if the password is wrong, it was reset; if the "
                    + "session opens, it was not, and the same command can be run again")
    }

    /// Resets the beacon, and shows which settings have changed: nothing else shows whether it was reset.
    private func compare<Vendor: ResetVendor>(
        _ found: SessionOptions.Found, _ vendor: Vendor, _ command: String, name: String
    ) async throws -> [String: JSONValue] {
        let (address, console) = (found.address, found.console)
        let isSent = Mutex(false)
        let before: Vendor.Settings
        do {
            before = try await found.withSession(vendor) { session in
                let before = try await session.perform { Vendor.Settings.reading(of: $0) }
                isSent.withLock { $0 = true }
                do {
                    _ = try await session.perform { vendor.resetting($0) }
                } catch let failure as SessionFailure
                    where [.device.noAnswer, .device.linkLost].contains(failure.code)
                {
                    // The beacon may restart without an answer.
                    console.notice("\(address) did not answer \(command)")
                }
                return before
            }
        } catch let error where isSent.withLock({ $0 }) {
            throw interrupted(CommandFailure(from: error), address)
        }
        console.notice("\(address) was told to restore its settings; checking what has changed")
        var after: Vendor.Settings?
        do {
            after = try await found.perform(vendor) { Vendor.Settings.reading(of: $0) }
        } catch {
            let failure = CommandFailure(from: error)
            guard failure.code != .system.interrupted else { throw interrupted(failure, address) }
            console.warn(
                .session.settingsUnread,
                "its settings can no longer be read: \(failure.message); it may have its factory PIN")
        }
        let changes = after.map { $0.differences(from: before) }
        if !console.style.isJSON { changes?.forEach { console.result(TerminalText($0.row)) } }
        let named = after.flatMap { settings in
            settings.paths.first { "\($0)" == name }.flatMap { settings.values[$0] }
        }
        return [
            "maker": .text(vendor.name), "model": .null, "name": .optional(named.map { "\($0)" }),
            "proven": .bool(false), "changes": changes.map { .list($0.map(\.object)) } ?? .null,
        ]
    }

    /// Adds to an interruption that the beacon may have been reset; returns other failures unchanged.
    private func interrupted(_ failure: CommandFailure, _ address: DeviceAddress) -> CommandFailure {
        guard failure.code == .system.interrupted else { return failure }
        return CommandFailure(
            failure.code, during: "resetting",
            message: "\(address) may have been reset, and then may have its factory PIN: \(failure.message)",
            nextStep:
                "read its settings with `beacon-dfu config read --device \(address)`, and run the same command "
                + "again if it was not reset")
    }

    /// Throws unless the beacon's address was given again.
    func confirm(_ address: DeviceAddress, _ console: Console) async throws {
        var given = confirm
        if given == nil, TypedLines.canAsk(json: console.style.isJSON) {
            console.alert("All settings of \(address) will be lost. Type its address again:")
            given = try await TypedLines.line()
        }
        try require(
            given.flatMap({ DeviceAddress($0.filter { !$0.isWhitespace }) })?.bytes == address.bytes,
            .command.resetUnconfirmed, during: "resetting",
            message: given == nil
                ? "the reset of \(address) was not confirmed"
                : "the beacon is \(address), but another address was given")
    }
}
