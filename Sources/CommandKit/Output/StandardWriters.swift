import Bluetooth
import Glibc
import Synchronization

/// The output writers of this process.
enum StandardWriters {
    /// For results, on stdout.
    static let output = OutputWriter()
    /// For messages and diagnostics, on stderr: the same writer if both lead to the same terminal, pipe or file, to
    /// keep the order of lines.
    static let talk = isShared ? output : OutputWriter()
    private static let others = Mutex<[OutputWriter]>([])

    /// A writer for another file. At the end it is drained before the two standard ones, on which `tell` may report an
    /// error.
    static func new(onError tell: @escaping @Sendable (Int32) -> Void) -> OutputWriter {
        let writer = OutputWriter(onError: tell)
        others.withLock { $0.append(writer) }
        return writer
    }

    /// Returns true when everything is written, or false one second after a signal that ends the program, because there
    /// may be no reader.
    static func settle() async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                for writer in others.withLock({ $0 }) + [output, talk] { await writer.drained() }
                return true
            }
            if Interruption.bell >= 0, case .success(let loop) = EventLoop.shared {
                group.addTask(executorPreference: loop) {
                    await loop.wait(for: .readable, of: Interruption.bell)
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
    static func openClosed() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF
        {
            // The kernel assigns the lowest free number, which is this one.
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_RDONLY : O_WRONLY)
        }
    }

    private static var isShared: Bool {
        var (output, talk) = (stat(), stat())
        return fstat(STDOUT_FILENO, &output) == 0 && fstat(STDERR_FILENO, &talk) == 0
            && output.st_dev == talk.st_dev && output.st_ino == talk.st_ino
    }
}
