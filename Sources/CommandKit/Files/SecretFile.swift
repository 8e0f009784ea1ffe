import Bytes
import Glibc
import Tray
import UpdateModel

/// A file with a secret, which only its owner may be able to read.
package struct SecretFile: Sendable {
    package let bytes: [UInt8]

    package init(path: String, during step: String) throws(CommandFailure) {
        bytes = try InputFile(path: path).secret(
            atMost: 64 << 10, exposed: .station.secretExposed, tooLarge: .station.secretTooLarge,
            during: step)
    }
}

extension InputFile {
    /// All bytes, after checking the file's mode; a pipe's mode is not checked. Throws `exposed` if others have rights
    /// to the file, and `tooLarge` if it has more than `limit` bytes.
    borrowing func secret(
        atMost limit: Int, exposed: FailureCode, tooLarge: FailureCode, during step: String
    ) throws(CommandFailure) -> [UInt8] {
        try requirePrivate(exposed, during: step)
        guard let bytes = try contents(atMost: limit) else {
            throw CommandFailure(tooLarge, during: step, message: "\(path) has more than \(limit) bytes")
        }
        return bytes
    }

    /// Throws `code` if the group, everyone or another user has rights. Not for systemd credentials: root owns them,
    /// and the service reads them through an access list, which stat(2) shows as a right of the group.
    private borrowing func requirePrivate(_ code: FailureCode, during step: String) throws(CommandFailure) {
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
        return path.below(folder) != nil && !path.split(separator: "/").contains("..")
    }

    /// Whether the owner is this user, root, or the user who called sudo(8).
    private var isOwn: Bool {
        guard status.st_uid != 0, status.st_uid != geteuid() else { return true }
        return geteuid() == 0 && getenv("SUDO_UID").map { String(cString: $0) } == "\(status.st_uid)"
    }
}
