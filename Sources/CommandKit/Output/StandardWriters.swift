import Bluetooth
import Glibc
import Synchronization

enum StandardWriters {
    /// The writer of results, on stdout.
    static let output = OutputWriter()
    /// The writer of messages and diagnostics, on stderr. It is `output` if both lead to one terminal, pipe or file, so
    /// that the order is kept.
    static let messages = isShared ? output : OutputWriter()
    private static let others = Mutex<[OutputWriter]>([])

    /// A writer for another file. At the end it is drained before the two standard ones, on which `report` may print
    /// an error.
    static func new(onError report: @escaping @Sendable (Int32) -> Void) -> OutputWriter {
        let writer = OutputWriter(onError: report)
        others.withLock { $0.append(writer) }
        return writer
    }

    /// Returns true when all is written; false a second after a signal that ends the program, because the output may
    /// have no reader.
    static func flush() async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                for writer in others.withLock({ $0 }) + [output, messages] { await writer.drained() }
                return true
            }
            if StopSignals.currentDescriptor >= 0, case .success(let loop) = EventLoop.shared {
                group.addTask(executorPreference: loop) {
                    await loop.wait(for: .readable, of: StopSignals.currentDescriptor)
                    try? await loop.sleep(until: loop.now + .seconds(1))
                    return false
                }
            }
            defer { group.cancelAll() }
            return await group.next() ?? true
        }
    }

    /// Opens /dev/null for a closed stdin, stdout or stderr: otherwise the next opened descriptor would get that
    /// number, and the output. Call it before anything else is opened.
    static func openMissing() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF
        {
            // The kernel assigns the lowest free number, which is this one.
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_RDONLY : O_WRONLY)
        }
    }

    private static var isShared: Bool {
        var (output, messages) = (stat(), stat())
        return fstat(STDOUT_FILENO, &output) == 0 && fstat(STDERR_FILENO, &messages) == 0
            && output.st_dev == messages.st_dev && output.st_ino == messages.st_ino
    }
}
