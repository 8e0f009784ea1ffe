import Bytes
package import Glibc

/// A file that is being written and has no name yet, so that nothing is left if the program is killed.
///
/// On file systems without unnamed files (O_TMPFILE) it has a temporary name in the same folder.
struct OutputDraft: ~Copyable {
    /// Open for reading and writing.
    let descriptor: Int32
    private let folder: String
    private var name: String?
    /// The checksum of all written bytes.
    private var checksum = CRC32()

    /// How many random names are tried.
    private static let names = 100

    /// An empty file in `folder`, with `mode` reduced by the umask; `path` is the user's name for it.
    init(in folder: String, mode: mode_t, for path: String) throws(CommandFailure) {
        self.folder = folder
        // Glibc's O_TMPFILE, which Swift does not import: __O_TMPFILE | O_DIRECTORY.
        // It gets its name through /proc, which containers may lack.
        let unnamed =
            access("/proc/self/fd", X_OK) == 0
            ? open(folder.systemPath, O_RDWR | 0o20_000_000 | O_DIRECTORY | O_CLOEXEC, mode) : -1
        if unnamed >= 0 {
            (descriptor, name) = (unnamed, nil)
            return
        }
        for _ in 0..<Self.names {
            let candidate = Self.newName(in: folder)
            let named = open(candidate.systemPath, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode)
            if named >= 0 {
                (descriptor, name) = (named, candidate)
                return
            }
            guard errno == EEXIST else { throw OutputFile.failure(path) }
        }
        throw OutputFile.failure(path)
    }

    deinit {
        if let name { unlink(name.systemPath) }
        _ = close(descriptor)
    }

    /// Appends `bytes`.
    mutating func append(_ bytes: [UInt8], for path: String) throws(CommandFailure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw OutputFile.failure(path) }
            checksum.update(rest.prefix(count))
            rest = rest.dropFirst(count)
        }
    }

    /// Flushes everything to the disk, and reads it back.
    func settle(for path: String) throws(CommandFailure) {
        guard fsync(descriptor) == 0 else { throw OutputFile.failure(path) }
        let piece = 64 << 10
        var (found, offset) = (CRC32(), 0)
        while true {
            let bytes = try OutputFile.contents(descriptor, from: offset, atMost: piece, path)
            found.update(bytes[...])
            offset += bytes.count
            guard bytes.count == piece else { break }
        }
        guard found == checksum else {
            throw CommandFailure(
                .command.fileNotWritable, during: "reading the file back",
                message: "\(path) does not contain the bytes that were written")
        }
    }

    /// Gives the file its name; returns false if the name exists already.
    mutating func take(_ place: String, for path: String) throws(CommandFailure) -> Bool {
        if Self.link(descriptor, name, to: place) { return true }
        if errno == EEXIST { return false }
        // Some file systems cannot give a file a second name; there the draft is renamed.
        guard name != nil else { throw OutputFile.failure(path) }
        let reserved = open(place.systemPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard reserved >= 0 else {
            if errno == EEXIST { return false }
            throw OutputFile.failure(path)
        }
        _ = close(reserved)
        try replace(place, for: path)
        return true
    }

    /// Atomically replaces the existing file.
    mutating func replace(_ place: String, for path: String) throws(CommandFailure) {
        var tries = 0
        while name == nil {
            let candidate = Self.newName(in: folder)
            if Self.link(descriptor, nil, to: candidate) {
                name = candidate
            } else {
                tries += 1
                guard errno == EEXIST, tries < Self.names else { throw OutputFile.failure(path) }
            }
        }
        guard let draft = name, rename(draft.systemPath, place.systemPath) == 0 else {
            throw OutputFile.failure(path)
        }
        name = nil
    }

    private static func newName(in folder: String) -> String {
        "\(folder)/.beacon-dfu-\(String(UInt64.random(in: 0 ... .max), radix: 36)).part"
    }

    private static func link(_ descriptor: Int32, _ name: String?, to place: String) -> Bool {
        let source = name ?? "/proc/self/fd/\(descriptor)"
        return linkat(AT_FDCWD, source.systemPath, AT_FDCWD, place.systemPath, AT_SYMLINK_FOLLOW) == 0
    }
}

/// A file that is written piece by piece and appears only when it is complete: the pieces go into a draft in the same
/// folder, which replaces the file once it is on the disk and was read back.
///
/// A link stays, and its target is written. An existing file passes its mode on, if the rule allows replacing it at
/// all.
package struct GrowingFile: ~Copyable {
    private let path: String
    private let kind: OutputKind
    private let rule: OutputRule
    private let place: OutputPlace
    private var draft: OutputDraft

    /// Begins a file of `kind` at `path`.
    package init(
        _ path: String, as kind: OutputKind, under rule: OutputRule, newMode: mode_t = 0o644
    ) throws(CommandFailure) {
        let place = try OutputPlace(path)
        let mode = place.present.map { $0.st_mode & 0o777 }
        try OutputFile.check(place, path, for: kind, under: rule)
        let draft = try OutputDraft(in: place.folder, mode: mode ?? newMode, for: path)
        // The umask may have removed rights; restore those that the old file had.
        if let mode, fchmod(draft.descriptor, mode) != 0 { throw OutputFile.failure(path) }
        self.draft = draft
        (self.path, self.kind, self.rule, self.place) = (path, kind, rule, place)
    }

    /// Writes the next piece.
    package mutating func append(_ bytes: [UInt8]) throws(CommandFailure) {
        try draft.append(bytes, for: path)
    }

    /// Completes the file and gives it its name.
    package consuming func finish() throws(CommandFailure) {
        try draft.settle(for: path)
        if place.present != nil {
            try draft.replace(place.path, for: path)
        } else if !(try draft.take(place.path, for: path)) {
            // Another program has created it meanwhile.
            try OutputFile.check(try OutputPlace(path), path, for: kind, under: rule)
            try draft.replace(place.path, for: path)
        }
        try OutputFile.settle(place.folder, path)
    }
}
