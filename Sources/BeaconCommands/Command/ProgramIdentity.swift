import Archives
import CBuildNote
import Digests
import FoundationEssentials
import TrayJournal

/// Which program this is: what `--version` prints, and a crash.
struct ProgramIdentity {
    /// What `scripts/stamp` has written into the program's package note.
    struct Note: Decodable, Equatable {
        var commit: String?
        /// ISO 8601, UTC.
        var built: String?
    }

    let note: Note
    /// Of `.note.gnu.build-id`, in hex: under it a debugger finds the symbols. Nil where the linker has written none.
    let build: String?
    /// The libraries that it is linked to, as they are on this machine.
    let libraries = [
        ("libzip", ZipReader.libraryVersion), ("zlib", CRC32.libraryVersion),
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
            "\(Program.name) \(BeaconDFU.version)", origin.compactMap(\.self).joined(separator: ", "),
            "with " + libraries.map { "\($0) \($1)" }.joined(separator: ", "),
        ].filter { !$0.isEmpty }
    }

    /// The object of `--version --json`.
    var line: JSONLine {
        JSONLine(
            "version",
            [
                "version": .text(BeaconDFU.version), "commit": .optional(note.commit),
                "built": .optional(note.built),
                "build_id": .optional(build),
                "libraries": .object(Dictionary(uniqueKeysWithValues: libraries.map { ($0, .text($1)) })),
            ])
    }

    /// What a crash prints before the addresses of its calls. Made at each start, so the note stays as it is written.
    static var crashWords: String {
        [
            "", "This is a bug: \(Program.name) has crashed.", "\(Program.name) \(BeaconDFU.version)",
            "build id \(ownBuild ?? "unknown") \(String(cString: package_note()))",
            "Report these lines and those below with the command that was given, without passwords: CONTRIBUTING.md, Crashes.",
            "",
        ].joined(separator: "\n")
    }
}
