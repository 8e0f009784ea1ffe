import Glibc
import Tray
import TrayJournal

extension RunSource {
    /// The minimum time between two reads of the journal.
    private static let rest = Duration.milliseconds(500)
    /// The interval at which an unfinished run is checked for a running program.
    private static let glance = Duration.seconds(2)

    /// Follows the latest run of the journal at `path` whenever the file changes, until the task is cancelled. Lines of
    /// the same run (`hasLines`) have more detail and take precedence; without them, the journal's lock distinguishes a
    /// continuing run from one that was cut off. `catalogue` returns the catalogue for an order's number.
    public func follow(
        journal path: String, hasLines: Bool = false,
        catalogue: @escaping @Sendable (String) -> Bench.Catalogue? = { _ in nil }
    ) async {
        let folder = path.contains("/") ? String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]) : "."
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let watch = FileWatch(folder.isEmpty ? "/" : folder, [name, name + "-wal"])
        let book = JournalReader(path)
        await take(book, hasLines, catalogue)
        guard let watch else {
            fallSilent("the journal's folder cannot be watched")
            return
        }
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for await _ in watch.changes {
                    await self.take(book, hasLines, catalogue)
                    guard (try? await Task.sleep(for: Self.rest)) != nil else { return }
                }
            }
            group.addTask {
                while !hasLines, (try? await Task.sleep(for: Self.glance)) != nil {
                    if book.isAtWork == false { await self.take(book, hasLines, catalogue) }
                }
            }
            await group.waitForAll()
        }
    }

    private func take(_ book: JournalReader, _ hasLines: Bool, _ catalogue: (String) -> Bench.Catalogue?)
        async
    {
        // Read first: a run records its end before it releases the lock.
        let isAtWork = hasLines ? nil : book.isAtWork
        // A journal that cannot be read now may be readable after its next change.
        guard let latest = try? await book.latest() else { return }
        take(latest.record)
        note(outbox: latest.outbox)
        note(catalogue: latest.record.orderNumber.flatMap(catalogue))
        switch isAtWork {
        case true?: hear()
        case false?: fallSilent("the run was cut off: no program is using its journal")
        case nil: break
        }
    }
}
