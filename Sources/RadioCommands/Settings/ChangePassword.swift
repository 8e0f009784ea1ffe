import ArgumentParser
import Bluetooth
import Bytes
import CommandKit
import Firmware
import Synchronization
import UpdateEngine
import UpdateModel

/// Changes the password of a beacon. A file has the old and the new one, whatever happens.
struct ChangePassword: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "password", abstract: "Change the password of \(beacon).",
        discussion: """
            Example: `beacon-dfu config password --device BC:57:29:02:45:9F --secrets secrets.yaml --record changed.yaml`.

            The new password comes from another file of secrets, from a descriptor, or is typed twice on a terminal; it is never \
            given on the command line. Both passwords are in the file of --record before the beacon is changed. A session with \
            the new password verifies the change.
            """)

    private static var beacon: String {
        KnownVendors.withSessions.filter { $0 is any PasswordVendor }.map(\.aBeacon)
            .joined(separator: " or ")
    }

    @OptionGroup var session: SessionOptions
    @Option(
        help: ArgumentHelp(
            "A new file of secrets with the new password, and the old one as a comment (mode 0600).",
            valueName: "path"),
        completion: .file(extensions: ["yaml", "yml"]))
    var record: String
    @Option(
        help: ArgumentHelp("Take the new password from this file of secrets (mode 0600).", valueName: "path"),
        completion: .file(extensions: ["yaml", "yml"]))
    var newSecrets: String?
    @Option(help: ArgumentHelp("Take the new password from a line of this descriptor.", valueName: "number"))
    var newDescriptor: Int32?
    @OptionGroup var common: CommonOptions

    var inputs: [String?] { session.inputs + [newSecrets] }

    private static let step = "changing the password"
    /// How often to connect to a beacon that no longer answers.
    private static let attempts = 3

    func validate() throws {
        try require(
            session.radio.capture == nil,
            "a recording would contain the new password in plain text: omit --capture")
        try require(
            newSecrets == nil || newDescriptor == nil, "give --new-secrets or --new-descriptor, not both")
        try require(newDescriptor ?? 0 >= 0, "--new-descriptor is a number from 0")
    }

    func perform(_ console: Console) async throws -> ExitStatus {
        let canAsk = TypedLine.isPossible(json: console.style.isJSON)
        guard newSecrets != nil || newDescriptor != nil || canAsk else {
            throw CommandFailure(
                .command.newPasswordMissing, during: Self.step,
                message: "there is no new password, and no terminal to ask for it")
        }
        return try await withBeacon(console) { found in
            try await change(
                found, try found.vendor(as: (any PasswordVendor).self, for: "to change its password"), console
            )
        }
    }

    private func change(
        _ found: SessionOptions.Found, _ vendor: some PasswordVendor, _ console: Console
    ) async throws -> ExitStatus {
        // Throws what a session would throw.
        _ = try found.secrets.session(vendor, with: found.beacon, at: found.address)
        let old = found.secrets.secret(of: found.beacon, vendor) ?? vendor.secretRules?.factory
        let new = try await newPassword(of: found, vendor, console)
        if let flaw = vendor.flaw(ofNew: new) {
            throw CommandFailure(.command.newPasswordUnusable, during: Self.step, message: flaw)
        }
        guard new != old else {
            try await found.withSession(vendor, by: old) { _ in }
            console.talk("\(found.address) already has that password")
            return .nothingToDo
        }
        let answer = try await tell(found, vendor, old, new, console)
        try await prove(found, vendor, old, new, answer, console)
        console.event(
            JSONLine("password-changed").adding([
                "device": .text(found.address.description), "record": .text(record),
            ]))
        console.talk("\(found.address) has its new password, which is in \(record)")
        return .done
    }

    // MARK: The new password

    private func newPassword(
        of found: SessionOptions.Found, _ vendor: some PasswordVendor, _ console: Console
    ) async throws -> Secret {
        if let newSecrets {
            let file = try SecretsOptions.read(newSecrets)
            let secret = found.beacon.secret(in: file, vendor: vendor.name, at: found.address)
            guard let secret else {
                throw CommandFailure(
                    .command.newPasswordMissing, during: Self.step,
                    message: "\(newSecrets) has no password for \(found.address)")
            }
            return secret
        }
        if let newDescriptor { return Secret(Self.line(try await TypedLine.read(from: newDescriptor))) }
        console.talk("The new password of \(found.address), \(vendor.passwordForm):")
        let first = Self.line(try await TypedLine.readHidden())
        console.talk("The same again:")
        guard Self.line(try await TypedLine.readHidden()) == first else {
            throw CommandFailure(
                .command.newPasswordUnusable, during: Self.step,
                message: "the two passwords differ; nothing was changed")
        }
        return Secret(first)
    }

    private static func line(_ text: String) -> String {
        String(text.prefix { $0 != "\n" && $0 != "\r" && $0 != "\r\n" })
    }

    // MARK: The change
    /// The beacon's answer to the change.
    private enum Answer {
        case taken
        /// With the reason that the beacon gives.
        case refused(String)
        /// The link was lost, or no answer came.
        case unknown(String)
    }

    private func tell(
        _ found: SessionOptions.Found, _ vendor: some PasswordVendor, _ old: Secret?, _ new: Secret,
        _ console: Console
    ) async throws -> Answer {
        let isTold = Mutex(false)
        do {
            try await found.withSession(vendor, by: old) { session in
                try OutputFile.create(
                    Array(text(of: found.address, old, new).utf8), at: record, mode: 0o600,
                    for: "a record of passwords")
                console.talk("the old and the new password of \(found.address) are in \(record)")
                isTold.withLock { $0 = true }
                _ = try await session.perform { (peer) throws(SessionFailure) in
                    vendor.changePassword(to: new, of: peer)
                }
            }
            return .taken
        } catch let failure as CommandFailure where isTold.withLock({ $0 }) {
            let refusals: Set<FailureCode> = [
                .session.refusedByDevice, .session.notSupported, .session.beaconBusy,
            ]
            return refusals.contains(failure.code)
                ? .refused(failure.message) : .unknown(failure.message)
        }
    }

    /// A file of secrets with the new password.
    private func text(of address: DeviceAddress, _ old: Secret?, _ new: Secret) -> String {
        func quoted(_ secret: Secret) -> String {
            QuotedScalar.text(String(decoding: secret.bytes, as: UTF8.self))
        }
        return """
            # \(address) is sent its new password once this file is written. If the change is interrupted,
            # the beacon has one of the two.
            secrets: 1
            devices:
              "\(address)": \(quoted(new))
            # the old one: \(old.map(quoted) ?? "none")

            """
    }

    // MARK: Verification

    private enum Verification {
        case right
        case wrong
        case unreached(CommandFailure)
    }

    private func prove(
        _ found: SessionOptions.Found, _ vendor: some PasswordVendor, _ old: Secret?, _ new: Secret,
        _ answer: Answer, _ console: Console
    ) async throws {
        let address = found.address
        let words: String =
            switch answer {
            case .taken: "it acknowledged the new one"
            case .refused(let words), .unknown(let words): words
            }
        console.talk("opening a session with \(address) with its new password")
        var proof = try await attempt(found, vendor, new)
        if case .right = proof { return }
        if case .wrong = proof {
            proof = try await attempt(found, vendor, old)
            switch proof {
            case .right:
                throw CommandFailure(
                    .command.passwordNotChanged, during: Self.step,
                    message: "\(address) still has its old password: \(words)")
            case .wrong:
                throw CommandFailure(
                    .command.passwordLost, during: Self.step,
                    message: "\(address) has neither its old password nor the new one")
            case .unreached: break
            }
        }
        guard case .unreached(let failure) = proof else { return }
        throw CommandFailure(
            .command.passwordUnproven, during: Self.step,
            message: "it is not known whether \(address) has its new password: \(failure.message)",
            nextStep:
                "try `beacon-dfu info --device \(address)` with --secrets \(record), then with the file that has the old one"
        )
    }

    /// Whether the beacon proves that it has `password`. A wrong one does no harm, because it is never sent.
    private func attempt(
        _ found: SessionOptions.Found, _ vendor: some PasswordVendor, _ password: Secret?
    ) async throws -> Verification {
        var last: CommandFailure?
        for _ in 0..<Self.attempts {
            do {
                try await found.withSession(vendor, by: password) { _ in }
                return .right
            } catch let failure as CommandFailure {
                guard failure.code != .session.passwordWrong else { return .wrong }
                last = failure
            }
        }
        return .unreached(
            last ?? CommandFailure(.device.noAnswer, during: Self.step, message: "the beacon does not answer")
        )
    }
}
