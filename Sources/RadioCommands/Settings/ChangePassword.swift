import ArgumentParser
import Bluetooth
import Bytes
import CommandKit
import Firmware
import Synchronization
import UpdateEngine
import UpdateModel

/// Changes the password of a beacon, after the old and the new one were written to a file.
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
        KnownVendors.withSessions.filter { $0 is any PasswordVendor }.map(\.aBeacon).joined(separator: " or ")
    }

    @OptionGroup var session: SessionOptions
    @Option(
        "A new file of secrets with the new password, and the old one as a comment (mode 0600).",
        valueName: "path", completion: .file(extensions: ["yaml", "yml"]))
    var record: String
    @Option(
        "Take the new password from this file of secrets (mode 0600).", valueName: "path",
        completion: .file(extensions: ["yaml", "yml"]))
    var newSecrets: String?
    @Option("Take the new password from a line of this descriptor.", valueName: "number")
    var newDescriptor: Int32?
    @OptionGroup var common: CommonOptions

    var inputs: [String?] { session.inputs + [newSecrets] }

    fileprivate static let step = "changing the password"

    func validate() throws {
        try require(
            session.radio.capture == nil,
            "a recording would contain the new password in plain text: omit --capture")
        try require(
            newSecrets == nil || newDescriptor == nil, "give --new-secrets or --new-descriptor, not both")
        try require(newDescriptor ?? 0 >= 0, "--new-descriptor is a number from 0")
    }

    func perform(_ console: Console) async throws -> ExitStatus {
        let canAsk = TypedLines.canAsk(json: console.style.isJSON)
        try require(
            newSecrets != nil || newDescriptor != nil || canAsk, .command.newPasswordMissing,
            during: Self.step, message: "there is no new password, and no terminal to ask for it")
        return try await withBeacon(console) { found in
            try await change(
                found, try found.vendor(as: (any PasswordVendor).self, for: "to change its password"))
        }
    }

    private func change(
        _ found: SessionOptions.Found, _ vendor: some PasswordVendor
    ) async throws -> ExitStatus {
        let console = found.console
        // Throws what a session would throw, before the new password is asked for.
        _ = try found.secrets.session(vendor, with: found.beacon, at: found.address)
        let old = found.secrets.secret(of: found.beacon, vendor) ?? vendor.secretRules?.factory
        let new = try await newPassword(of: found, vendor)
        if let flaw = vendor.flaw(ofNew: new) {
            throw CommandFailure(.command.newPasswordUnusable, during: Self.step, message: flaw)
        }
        guard new != old else {
            try await found.withSession(vendor, by: old) { _ in }
            console.notice("\(found.address) already has that password")
            return .nothingToDo
        }
        try await PasswordChange(found: found, vendor: vendor, old: old, new: new, record: record).run()
        console.event(
            JSONLine("password-changed").adding([
                "device": .text(found.address.description), "record": .text(record),
            ]))
        console.notice("\(found.address) has its new password, which is in \(record)")
        return .done
    }

    private func newPassword(
        of found: SessionOptions.Found, _ vendor: some PasswordVendor
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
        if let newDescriptor { return Secret(Self.line(try await TypedLines.line(from: newDescriptor))) }
        found.console.alert("The new password of \(found.address), \(vendor.passwordForm):")
        let first = Self.line(try await TypedLines.hiddenLine())
        found.console.alert("The same again:")
        try require(
            Self.line(try await TypedLines.hiddenLine()) == first, .command.newPasswordUnusable,
            during: Self.step, message: "the two passwords differ; nothing was changed")
        return Secret(first)
    }

    private static func line(_ text: String) -> String { String(text.prefix { $0 != "\r" }) }
}

private struct PasswordChange<Vendor: PasswordVendor> {
    let found: SessionOptions.Found
    let vendor: Vendor
    let old: Secret?
    let new: Secret
    /// The path of the file that gets both passwords.
    let record: String

    private var address: DeviceAddress { found.address }

    /// How often to connect to a beacon that no longer answers.
    private static var attempts: Int { 3 }

    /// Sends the new password and verifies it.
    func run() async throws {
        let isSent = Mutex(false)
        var answer = "it acknowledged the new one"
        do {
            do {
                try await found.withSession(vendor, by: old) { session in
                    try OutputFile.create(
                        Array(text.utf8), at: record, mode: 0o600, for: "a record of passwords")
                    found.console.notice("the old and the new password of \(address) are in \(record)")
                    isSent.withLock { $0 = true }
                    _ = try await session.perform { vendor.changePassword(to: new, of: $0) }
                }
            } catch let failure as CommandFailure where isSent.withLock({ $0 }) { answer = failure.message }
            try await verify(after: answer)
        } catch let error where isSent.withLock({ $0 }) {
            let failure = CommandFailure(from: error)
            throw failure.code == .system.interrupted ? unproven(failure.code, failure.message) : failure
        }
    }

    private func failure(_ code: FailureCode, _ message: String, nextStep: String? = nil) -> CommandFailure {
        CommandFailure(code, during: ChangePassword.step, message: message, nextStep: nextStep)
    }

    private var text: String {
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

    private enum Verification {
        case right
        case wrong
        case unreached(CommandFailure)
    }

    /// Verifies the change. `answer`: how the beacon answered, in words.
    private func verify(after answer: String) async throws {
        found.console.notice("opening a session with \(address) with its new password")
        var verification = try await self.verification(of: new)
        if case .right = verification { return }
        if case .wrong = verification {
            verification = try await self.verification(of: old)
            switch verification {
            case .right:
                throw failure(.command.passwordNotChanged, "\(address) still has its old password: \(answer)")
            case .wrong:
                throw failure(
                    .command.passwordLost, "\(address) has neither its old password nor the new one")
            case .unreached: break
            }
        }
        guard case .unreached(let cause) = verification else { return }
        throw unproven(.command.passwordUnproven, cause.message)
    }

    /// The failure if the new password was sent, and it is not known which one the beacon has.
    private func unproven(_ code: FailureCode, _ cause: String) -> CommandFailure {
        failure(
            code, "it is not known whether \(address) has its new password: \(cause)",
            nextStep:
                "try `beacon-dfu info --device \(address) --secrets \(ShellWord.quoted(record))`; if the password is "
                + "wrong, the beacon has the old one")
    }

    /// Whether the beacon proves that it has `password`. A wrong one does no harm, because it is never sent.
    private func verification(of password: Secret?) async throws -> Verification {
        var last = failure(.device.noAnswer, "the beacon does not answer")
        for _ in 0..<Self.attempts {
            do {
                try await found.withSession(vendor, by: password) { _ in }
                return .right
            } catch let failure as CommandFailure {
                guard failure.code != .session.passwordWrong else { return .wrong }
                last = failure
            }
        }
        return .unreached(last)
    }
}
