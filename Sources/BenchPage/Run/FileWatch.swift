import Bluetooth
import Dispatch
import Glibc

/// Reports changes of files in a folder, by inotify(7).
struct FileWatch: Sendable {
    /// Has an element after a change; changes that were not consumed yet count as one. Ends when the folder can no
    /// longer be watched.
    let changes: AsyncStream<Void>

    /// Watches the files of `folder` with these names; nil if that is not possible. Only writes count: readers of an
    /// SQLite file create other files next to it and remove them.
    init?(_ folder: String, _ wanted: Set<String>) {
        let watch = OwnedDescriptor(inotify_init1(Int32(IN_CLOEXEC)))
        guard watch.number >= 0,
            inotify_add_watch(watch.number, folder, UInt32(IN_MODIFY | IN_MOVED_TO)) >= 0,
            let (stop, stopping) = try? OwnedDescriptor.pipe()
        else { return nil }
        let (changes, changed) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.changes = changes
        // Only this handler holds the pipe's writing end. After the handler, the end is closed, which wakes the thread.
        // Then the thread ends, and the other descriptors are closed.
        changed.onTermination = { _ in withExtendedLifetime(stopping) {} }
        DispatchQueue(label: "journal-watch").async {
            defer { changed.finish() }
            var bytes = [UInt8](repeating: 0, count: 1 << 14)
            while Self.waits(for: watch.number, or: stop.number) {
                let count = read(watch.number, &bytes, bytes.count)
                guard count > 0 else { return }
                if !wanted.isDisjoint(with: Self.names(bytes[..<count])) { changed.yield() }
            }
        }
    }

    /// Waits until `watch` can be read; returns false if the pipe `stop` was closed, or if waiting failed.
    private static func waits(for watch: Int32, or stop: Int32) -> Bool {
        var both = [
            pollfd(fd: watch, events: Int16(POLLIN), revents: 0), pollfd(fd: stop, events: 0, revents: 0),
        ]
        while poll(&both, 2, -1) < 0 { guard errno == EINTR else { return false } }
        return both[1].revents == 0 && both[0].revents & Int16(POLLIN) != 0
    }

    /// The names in data from inotify: a header of 16 bytes, of which the last four are the length of the following
    /// name.
    static func names(_ bytes: ArraySlice<UInt8>) -> [String] {
        var names: [String] = []
        var rest = bytes
        while rest.count >= 16 {
            let head = rest.prefix(16)
            let length = head.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
            guard rest.count >= 16 + length else { break }
            names.append(
                String(decoding: rest.dropFirst(16).prefix(length).prefix { $0 != 0 }, as: UTF8.self))
            rest = rest.dropFirst(16 + length)
        }
        return names
    }
}
