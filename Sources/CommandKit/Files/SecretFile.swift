import Bytes
import Glibc
import Tray
package import UpdateModel

/// A file with a secret, which only its owner may be able to read.
package struct SecretFile: Sendable {
    package let bytes: [UInt8]

    /// Reads the file, after checking its mode; a pipe's mode is not checked.
    package init(path: String, during step: String) throws(CommandFailure) {
        let file = try InputFile(path: path)
        try file.requirePrivate(.station.secretExposed, during: step)
        guard let bytes = try file.contents(atMost: Self.limit) else {
            throw CommandFailure(
                .station.secretTooLarge, during: step,
                message: "\(file.path) has more than \(Self.limit) bytes")
        }
        self.bytes = bytes
    }

    /// The most bytes of a file with a secret.
    private static let limit = 64 << 10
}

extension InputFile {
    /// Throws `code` if the group, everyone or another user has rights. Not for systemd credentials: root owns them,
    /// and the service reads them through an access list, which stat(2) shows as a right of the group.
    package borrowing func requirePrivate(_ code: FailureCode, during step: String) throws(CommandFailure) {
        guard status.st_mode & S_IFMT == S_IFREG, !isCredential else { return }
        guard status.st_mode & 0o077 == 0 else {
            throw CommandFailure(
                code, during: step, message: "\(path) has mode \(String(status.st_mode & 0o777, radix: 8))",
                nextStep: "let only its owner read it: `chmod 600 \(ShellWord.quoted(path))`")
        }
        guard isOwn else {
            throw CommandFailure(
                code, during: step,
                message:
                    "\(path) belongs to another user (number \(status.st_uid)), who can read and change it",
                nextStep: "run the command as that user, or make the file yours: "
                    + "`chown \(geteuid()) \(ShellWord.quoted(path))`")
        }
    }

    /// Whether it is a credential that systemd provided for this service alone (LoadCredential=).
    private var isCredential: Bool {
        guard let folder = PathText.variable("CREDENTIALS_DIRECTORY"),
            folder.hasPrefix("/"), folder.utf8.count > 1, status.st_mode & 0o007 == 0
        else { return false }
        let place = folder.hasSuffix("/") ? folder : folder + "/"
        return path.hasPrefix(place) && !path.split(separator: "/").contains("..")
    }

    /// Whether the owner is this user, root, or the user who called sudo(8).
    private var isOwn: Bool {
        guard status.st_uid != 0, status.st_uid != geteuid() else { return true }
        return geteuid() == 0 && getenv("SUDO_UID").map { String(cString: $0) } == "\(status.st_uid)"
    }
}
