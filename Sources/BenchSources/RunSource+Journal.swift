public import BenchPage
import Glibc
import Tray
import TrayJournal

extension RunSource {
    /// At most so often the journal is read.
    private static let rest = Duration.milliseconds(500)
    /// So often it is looked whether a run that is not over has still somebody who runs it.
    private static let glance = Duration.seconds(2)

    /// Takes what the journal at `path` has of its latest run, and again whenever the file has changed, until the task is cancelled. Lines
    /// of the same run, where there are any (`hasLines`), say more and are kept; without them it is the journal's lock that tells a run that
    /// goes on from one that was cut off.
    /// What chooses for an order is what `catalogue` says of its number.
    public func follow(
        journal path: String, hasLines: Bool = false,
        catalogue: @escaping @Sendable (String) -> Bench.Catalogue? = { _ in nil }
    ) async {
        let folder = path.contains("/") ? String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]) : "."
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let watch = FileWatch(folder.isEmpty ? "/" : folder, [name, name + "-wal"])
        let book = JournalBook(path)
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

    private func take(_ book: JournalBook, _ hasLines: Bool, _ catalogue: (String) -> Bench.Catalogue?) async
    {
        // Asked first: a run writes that it has ended before it lets the lock go.
        let isAtWork = hasLines ? nil : book.isAtWork
        // A journal that cannot be read now may be in a moment, when it changes again.
        guard let latest = try? await book.latest() else { return }
        take(latest.record)
        note(outbox: latest.outbox)
        note(catalogue: latest.record.orderNumber.flatMap(catalogue))
        switch isAtWork {
        case true?: hear()
        case false?: fallSilent("the run was cut off: no program is at work with its journal")
        case nil: break
        }
    }
}
