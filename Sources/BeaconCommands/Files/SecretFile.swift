import Glibc

/// A file with a secret, which nobody but its owner may read: what others could read is no secret any more.
package struct SecretFile: Sendable {
    package let bytes: [UInt8]

    /// Reads the file. A pipe has no modes that would say anything.
    package init(path: String, during step: String) throws(CommandFailure) {
        let file = try InputFile(path: path)
        try file.requirePrivate("secret-exposed", during: step)
        guard let bytes = try file.contents(atMost: Self.limit) else {
            throw CommandFailure(
                "secret-too-large", during: step, message: "\(file.path) has more than \(Self.limit) bytes")
        }
        self.bytes = bytes
    }

    private static let limit = 64 << 10
}

extension InputFile {
    /// Throws `code` where the group, everybody or another user has rights. What systemd gives a service is root's, and readable for the
    /// service by an access list, which shows as the group's right.
    borrowing func requirePrivate(_ code: String, during step: String) throws(CommandFailure) {
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

    /// Whether it is one that systemd has put there for this service alone (LoadCredential=).
    private var isCredential: Bool {
        guard let folder = getenv("CREDENTIALS_DIRECTORY").map({ String(cString: $0) }),
            folder.hasPrefix("/"), folder.utf8.count > 1, status.st_mode & 0o007 == 0
        else {
            return false
        }
        let place = folder.hasSuffix("/") ? folder : folder + "/"
        return path.hasPrefix(place) && !path.split(separator: "/").contains("..")
    }

    /// Whether the file is this user's, or root's, or of whom root works for by sudo(8).
    private var isOwn: Bool {
        guard status.st_uid != 0, status.st_uid != geteuid() else { return true }
        return geteuid() == 0 && getenv("SUDO_UID").map { String(cString: $0) } == "\(status.st_uid)"
    }
}
