import ArgumentParser
import BeaconIdentity
import BeaconSessions
import BluetoothTypes
import KBeacon
import Sessions
import Synchronization
import YAMLText

/// Gives a KBeacon another password. Whatever happens on the way, a file has both.
struct ChangePassword: RunningCommand {
    static let configuration = CommandConfiguration(
        commandName: "password", abstract: "Give a KBeacon another password.",
        discussion: """
            Example: `beacon-dfu config password --device BC:57:29:02:45:9F --secrets secrets.yaml --record changed.yaml`.

            The new password comes from another file of secrets, from a descriptor, or is asked for twice on a terminal; it is \
            never given on the command line. Both passwords are in the file of --record before the beacon is told. A session \
            with the new one is the proof.
            """)

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

    var kernelAdapters: Int { session.kernelAdapters }

    private static let step = "changing the password"
    private static let purpose = "to change its password"
    /// How often a beacon is connected to that does not answer any more.
    private static let attempts = 3

    func validate() throws {
        guard session.radio.capture == nil else {
            throw ValidationError(
                "a recording would have the new password as plain text: leave --capture out")
        }
        guard newSecrets == nil || newDescriptor == nil else {
            throw ValidationError("the new password comes from --new-secrets or from --new-descriptor")
        }
        guard newDescriptor ?? 0 >= 0 else { throw ValidationError("a descriptor is 0 or more") }
    }

    func perform(_ console: Console) async throws -> ExitStatus {
        let canAsk = TypedLine.isPossible(json: console.style.isJSON)
        guard newSecrets != nil || newDescriptor != nil || canAsk else {
            throw CommandFailure(
                "new-password-missing", during: Self.step,
                message: "there is no new password, and no terminal to ask for it")
        }
        let log = try common.logger(under: outputs)
        let rule = outputs.keeping([common.logFile])
        return try await session.withBeacon(console, log: log, under: rule) { found in
            try found.checkIsKBeacon(for: Self.purpose)
            let old = try found.secrets.kBeaconPassword(of: found.beacon)
            let new = try await newPassword(of: found, console)
            if let flaw = KBeaconSession.flaw(ofNew: new) {
                throw CommandFailure("new-password-unusable", during: Self.step, message: flaw)
            }
            guard new != old else {
                try await found.withKBeacon(for: Self.purpose, old) { _ in }
                console.talk("\(found.address) has that password already")
                return .nothingToDo
            }
            let answer = try await tell(found, old, new, console)
            try await prove(found, old, new, answer, console)
            console.event(
                JSONLine(
                    "password-changed",
                    ["device": .text(found.address.description), "record": .text(record)]))
            console.talk("\(found.address) has its new password, which is in \(record)")
            return .done
        }
    }

    // MARK: The new password

    private func newPassword(of found: SessionOptions.Found, _ console: Console) async throws -> Secret {
        if let newSecrets {
            let file = try SecretsOptions.read(newSecrets)
            let secret = found.beacon.secret(in: file, vendor: "kkm", at: found.address)
            guard let secret else {
                throw CommandFailure(
                    "new-password-missing", during: Self.step,
                    message: "\(newSecrets) has no password for \(found.address)")
            }
            return secret
        }
        if let newDescriptor { return Secret(Self.line(try await TypedLine.read(from: newDescriptor))) }
        console.talk("The new password of \(found.address), 8 to 16 characters:")
        let first = Self.line(try await TypedLine.readHidden())
        console.talk("The same once more:")
        guard Self.line(try await TypedLine.readHidden()) == first else {
            throw CommandFailure(
                "new-password-unusable", during: Self.step,
                message: "the two are not the same; nothing was done")
        }
        return Secret(first)
    }

    private static func line(_ text: String) -> String {
        String(text.prefix { $0 != "\n" && $0 != "\r" && $0 != "\r\n" })
    }

    // MARK: Telling it

    /// What the beacon made of it.
    private enum Answer {
        case taken
        /// In its own words.
        case refused(String)
        /// Nobody knows: the link was lost, or nothing came.
        case unknown(String)
    }

    private func tell(
        _ found: SessionOptions.Found, _ old: Secret, _ new: Secret, _ console: Console
    ) async throws -> Answer {
        let isTold = Mutex(false)
        do {
            try await found.withKBeacon(for: Self.purpose, old) { session in
                try OutputFile.create(
                    Array(text(of: found.address, old, new).utf8), at: record, mode: 0o600,
                    for: "a record of passwords")
                console.talk("the old and the new password of \(found.address) are in \(record)")
                isTold.withLock { $0 = true }
                _ = try await session.perform { (peer) throws(SessionFailure) in
                    KBeaconExchanges(changingPasswordTo: new, of: peer)
                }
            }
            return .taken
        } catch let failure as CommandFailure where isTold.withLock({ $0 }) {
            let refusals: Set<SessionFailure.Code> = [.refused, .notSupported, .beaconBusy]
            return refusals.contains(SessionFailure.Code(rawValue: failure.code))
                ? .refused(failure.message) : .unknown(failure.message)
        }
    }

    /// A file of secrets with the new password.
    private func text(of address: DeviceAddress, _ old: Secret, _ new: Secret) -> String {
        func quoted(_ secret: Secret) -> String {
            QuotedScalar.text(String(decoding: secret.bytes, as: UTF8.self))
        }
        return """
            # \(address) is told its new password once this file is written. Where that does not come to
            # an end, the beacon has one of both.
            secrets: 1
            devices:
              "\(address)": \(quoted(new))
            # the old one: \(quoted(old))

            """
    }

    // MARK: The proof

    private enum Verification {
        case right
        case wrong
        case unreached(CommandFailure)
    }

    private func prove(
        _ found: SessionOptions.Found, _ old: Secret, _ new: Secret, _ answer: Answer, _ console: Console
    ) async throws {
        let address = found.address
        let words: String =
            switch answer {
            case .taken: "it has acknowledged the new one"
            case .refused(let words), .unknown(let words): words
            }
        console.talk("opening a session with \(address) by its new password")
        var proof = try await attempt(found, new)
        if case .right = proof { return }
        if case .wrong = proof {
            proof = try await attempt(found, old)
            switch proof {
            case .right:
                throw CommandFailure(
                    "password-not-changed", during: Self.step,
                    message: "\(address) has its old password still: \(words)")
            case .wrong:
                throw CommandFailure(
                    "password-lost", during: Self.step,
                    message: "\(address) proves to know neither its old password nor the new one")
            case .unreached: break
            }
        }
        guard case .unreached(let failure) = proof else { return }
        throw CommandFailure(
            "password-unproven", during: Self.step,
            message: "whether \(address) has its new password is not known: \(failure.message)",
            nextStep:
                "try `beacon-dfu info --device \(address)` with --secrets \(record), and then with the file of the old one"
        )
    }

    /// Whether the beacon proves to know `password`. That one is wrong does no harm: it never sees it.
    private func attempt(_ found: SessionOptions.Found, _ password: Secret) async throws -> Verification {
        var last: CommandFailure?
        for _ in 0..<Self.attempts {
            do {
                try await found.withKBeacon(for: Self.purpose, password) { _ in }
                return .right
            } catch let failure as CommandFailure {
                guard failure.code != SessionFailure.Code.passwordWrong.rawValue else { return .wrong }
                last = failure
            }
        }
        return .unreached(
            last ?? CommandFailure("no-answer", during: Self.step, message: "the beacon does not answer"))
    }
}
