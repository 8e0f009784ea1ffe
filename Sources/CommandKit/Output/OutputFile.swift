package import Bytes
import Glibc

/// A file that is written piece by piece and appears only when it is complete: the pieces go into a draft in the same
/// folder, which atomically replaces the file once it is on the disk and was read back.
///
/// A link stays, and its target is written. An existing file passes its mode on, if the rule allows replacing it.
package struct OutputFile: ~Copyable {
    private let path: String
    private let kind: OutputKind
    private let rule: OutputRule
    private let place: OutputPlace
    private var draft: FileDraft

    package init(_ path: String, as kind: OutputKind, under rule: OutputRule) throws(CommandFailure) {
        let place = try OutputPlace(path)
        let mode = place.existing.map { $0.mode & 0o777 }
        try Self.check(place, path, for: kind, under: rule)
        let draft = try Self.draft(in: place.path.parentFolder, mode: mode ?? 0o644, for: path)
        // The umask may have removed rights; restore those that the old file had.
        if let mode, fchmod(draft.descriptor, mode) != 0 { throw Self.failure(path) }
        self.draft = draft
        (self.path, self.kind, self.rule, self.place) = (path, kind, rule, place)
    }

    private static func draft(
        in folder: String, mode: mode_t, for path: String
    ) throws(CommandFailure) -> FileDraft {
        do throws(FileProblem) { return try FileDraft(in: folder, mode: mode) } catch {
            throw failure(path, error)
        }
    }

    package mutating func append(_ bytes: [UInt8]) throws(CommandFailure) {
        do throws(FileProblem) { try draft.append(bytes) } catch { throw Self.failure(path, error) }
    }

    package consuming func finish() throws(CommandFailure) {
        do throws(FileProblem) {
            try draft.flush()
            if place.existing == nil, try draft.publish(at: place.path) { return }
        } catch { throw Self.failure(path, error) }
        // Another program may have created it meanwhile.
        if place.existing == nil { try Self.check(try OutputPlace(path), path, for: kind, under: rule) }
        do throws(FileProblem) { try draft.replace(place.path) } catch { throw Self.failure(path, error) }
    }

    package static func write(
        _ bytes: [UInt8], to path: String, as kind: OutputKind, under rule: OutputRule
    ) throws(CommandFailure) {
        var file = try OutputFile(path, as: kind, under: rule)
        try file.append(bytes)
        try file.finish()
    }
}

extension OutputFile {
    /// Writes `bytes` to `path`, which must not exist yet: nothing is ever replaced, not even a dangling link. The name
    /// appears when the whole file is on the disk. `what` names the kind of file for the error.
    package static func create(
        _ bytes: [UInt8], at path: String, mode: UInt32, for what: String = "a key"
    ) throws(CommandFailure) {
        do throws(FileProblem) {
            var draft = try FileDraft(in: path.parentFolder, mode: mode)
            try draft.append(bytes)
            try draft.flush()
            if try draft.publish(at: path) { return }
        } catch { throw failure(path, error) }
        throw CommandFailure(
            .command.fileExists, during: "writing the file",
            message: "\(path) already exists, and \(what) is never written over a file",
            nextStep: "choose another name, or move the file away")
    }

    /// Opens `path` for writing piece by piece, without truncating it: a file for reading and writing, created if
    /// necessary, or a pipe or terminal for non-blocking writing.
    package static func open(
        _ path: String, as kind: OutputKind, under rule: OutputRule
    ) throws(CommandFailure) -> (descriptor: Int32, isNew: Bool) {
        let place = try OutputPlace(path, allowingStreams: true)
        guard !place.isStream else {
            // A pipe without a reader must not block the program; `open` fails with ENXIO instead.
            let descriptor = Glibc.open(path.systemPath, O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
            guard descriptor >= 0 else {
                throw errno == ENXIO ? failure(path, "is a pipe without a reader") : failure(path)
            }
            return (descriptor, false)
        }
        let create = place.existing == nil ? O_CREAT | O_EXCL : 0
        let appending = kind == .log ? O_APPEND : 0
        let descriptor = Glibc.open(
            place.path.systemPath, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | create | appending, 0o644)
        guard descriptor >= 0 else { throw failure(path) }
        do throws(CommandFailure) { try rule.check(descriptor, path, for: kind) } catch {
            _ = close(descriptor)
            throw error
        }
        return (descriptor, place.existing == nil)
    }

    /// A failure for `path` with `words`, or else the system's message for the current `errno`.
    package static func failure(_ path: String, _ words: String? = nil) -> CommandFailure {
        CommandFailure(
            .command.fileNotWritable, during: "writing the file",
            message: words.map { "\(path) \($0)" } ?? "\(path): \(String(cString: strerror(errno)))")
    }

    static func failure(_ path: String, _ problem: FileProblem) -> CommandFailure {
        CommandFailure(
            .command.fileNotWritable,
            during: problem == .differs ? "reading the file back" : "writing the file",
            message: path + problem.words)
    }

    /// Throws if a file of `kind` could not be written to `path` now. For results that take long to produce.
    package static func check(_ path: String, as kind: OutputKind, under rule: OutputRule)
        throws(CommandFailure)
    {
        let place = try OutputPlace(path)
        try check(place, path, for: kind, under: rule)
        _ = try draft(in: place.path.parentFolder, mode: 0o600, for: path)
    }

    /// Throws if the file at `place` must not be replaced.
    private static func check(
        _ place: OutputPlace, _ path: String, for kind: OutputKind, under rule: OutputRule
    ) throws(CommandFailure) {
        guard place.existing != nil else { return }
        let descriptor = Glibc.open(place.path.systemPath, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw failure(path, "cannot be read, so it may be a key; nothing was written")
        }
        defer { _ = close(descriptor) }
        try rule.check(descriptor, path, for: kind)
    }
}

/// A kind of output file, and how an earlier file of the kind is recognised.
package enum OutputKind: Equatable, Sendable {
    case package
    /// A file in another format: the format's name, to follow "a", and the possible first bytes.
    case format(String, beginnings: [[UInt8]])
    /// A btsnoop file.
    case capture
    /// Diagnostics of ``TextLogHandler``, which are appended.
    case log

    package var form: FileForm {
        switch self {
        case .package:
            FileForm("package (ZIP)", beginnings: [[0x50, 0x4B, 0x03, 0x04], [0x50, 0x4B, 0x05, 0x06]])
        case .format(let words, let beginnings): FileForm(words, beginnings: beginnings)
        case .capture: FileForm("btsnoop capture", beginnings: [Array("btsnoop\0".utf8)])
        case .log: FileForm("log of this program", Self.beginsWithTime)
        }
    }

    /// Whether a line begins with a time, as in the log: `2026-11-22T14:42:18`.
    @Sendable private static func beginsWithTime(_ head: [UInt8]) -> Bool {
        let pattern = Array("0000-00-00T00:00:00".utf8)
        return head.count > pattern.count
            && zip(head, pattern).allSatisfy { byte, mark in
                mark == UInt8(ascii: "0") ? Character(Unicode.Scalar(byte)).isWholeNumber : byte == mark
            }
    }
}
