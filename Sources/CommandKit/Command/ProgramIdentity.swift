import Bytes
import CBuildNote
import FoundationEssentials
import TrayJournal

/// The identity of this program, which `--version` and crashes print.
struct ProgramIdentity {
    /// The package note that `scripts/package/stamp` wrote into the program.
    struct Note: Decodable, Equatable {
        var commit: String?
        /// ISO 8601, UTC.
        var built: String?
    }

    let note: Note
    /// `.note.gnu.build-id` in hexadecimal, by which debuggers find the symbols. Nil if the linker wrote none.
    let build: String?
    /// The linked libraries, with their versions on this machine.
    let libraries = [
        ("libzip", ZipReader.libraryVersion), ("zlib", CRC32.libraryVersion),
        ("OpenSSL", SHA256Digest.libraryVersion), ("libyaml", YAMLValue.libraryVersion),
        ("SQLite", Journal.libraryVersion),
    ]

    /// The identity of this process's program.
    static var own: ProgramIdentity {
        let text = Data(String(cString: package_note()).utf8)
        return ProgramIdentity(
            note: (try? JSONDecoder().decode(Note.self, from: text)) ?? Note(),
            build: ownBuild)
    }

    private static var ownBuild: String? {
        var identifier = [CChar](repeating: 0, count: 65)
        build_identifier(&identifier, identifier.count)
        let digits = String(
            decoding: identifier.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return digits.isEmpty ? nil : digits
    }

    /// The lines of `--version`; the first one is for scripts.
    var lines: [String] {
        let origin = [
            note.commit.map { "commit \($0)" }, note.built.map { "built \($0)" },
            build.map { "build id \($0)" },
        ]
        return [
            "\(Program.name) \(Program.version)", origin.compactMap(\.self).joined(separator: ", "),
            "with " + libraries.map { "\($0) \($1)" }.joined(separator: ", "),
        ].filter { !$0.isEmpty }
    }

    /// The object of `--version --json`.
    var line: JSONLine {
        JSONLine(
            "version",
            [
                "version": .text(Program.version), "commit": .optional(note.commit),
                "built": .optional(note.built),
                "build_id": .optional(build),
                "libraries": .object(Dictionary(uniqueKeysWithValues: libraries.map { ($0, .text($1)) })),
            ])
    }

    /// The text that a crash prints before the addresses of its calls. It is made at each start, with the note as
    /// written.
    static var crashWords: String {
        [
            "", "This is a bug: \(Program.name) has crashed.", "\(Program.name) \(Program.version)",
            "build id \(ownBuild ?? "unknown") \(String(cString: package_note()))",
            "Report these lines and those below with the command line, without passwords: CONTRIBUTING.md, Crashes.",
            "",
        ].joined(separator: "\n")
    }
}
