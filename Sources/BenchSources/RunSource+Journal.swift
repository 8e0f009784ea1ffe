import Glibc

extension RunSource {
    /// At most so often the journal is read.
    private static let rest = Duration.milliseconds(500)

    /// Takes what the journal at `path` has of its latest run, and again whenever the file has changed, until the task is cancelled. Lines
    /// of the same run, where there are any, say more and are kept.
    public func follow(journal path: String) async {
        let folder = path.contains("/") ? String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]) : "."
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let watch = FileWatch(folder.isEmpty ? "/" : folder, [name, name + "-wal"])
        let book = JournalBook(path)
        await take(book)
        guard let watch else {
            fallSilent("the journal's folder cannot be watched")
            return
        }
        for await _ in watch.changes {
            await take(book)
            guard (try? await Task.sleep(for: Self.rest)) != nil else { return }
        }
    }

    private func take(_ book: JournalBook) async {
        // A journal that cannot be read now may be in a moment, when it changes again.
        guard let latest = try? await book.latest() else { return }
        take(latest.record)
        note(outbox: latest.outbox)
    }
}
