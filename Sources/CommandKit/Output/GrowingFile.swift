package import Glibc

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
