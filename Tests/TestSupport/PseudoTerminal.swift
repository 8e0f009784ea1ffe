import Foundation
import Glibc

/// A terminal with a program on it.
package struct PseudoTerminal {
    /// The result of a run.
    package struct Run {
        package let status: Int32
        /// Everything that was sent to the terminal.
        package let output: String
        /// Whether the terminal is back in line mode with echo.
        package let isByLine: Bool
    }

    package var rows = 24
    package var columns = 80
    /// Whether it is the program's controlling terminal, as a shell's is: then the program is in the foreground.
    package var isControlling = false

    package init() {}

    /// Runs the program with stdin, stdout and stderr on the terminal. Each reply is typed once its prompt has appeared
    /// after the previous one.
    package func run(
        _ arguments: [String], typing replies: [(prompt: String, reply: String)] = []
    ) throws -> Run {
        let (master, slave) = try open()
        defer { close(master) }
        let process = Process()
        process.executableURL = URL(filePath: isControlling ? "/usr/bin/setsid" : Program.path)
        process.arguments = isControlling ? ["--ctty", "--wait", Program.path] + arguments : arguments
        var environment = ProcessInfo.processInfo.environment
        environment["BEACON_DFU_ADAPTER"] = nil
        // Prompts are matched as text, which must not contain colours.
        environment["NO_COLOR"] = "1"
        environment["TERM"] = "xterm-256color"
        process.environment = environment
        let end = FileHandle(fileDescriptor: slave, closeOnDealloc: true)
        (process.standardInput, process.standardOutput, process.standardError) = (end, end, end)
        try process.run()
        try end.close()
        var output: [UInt8] = []
        var (waiting, seen) = (replies[...], 0)
        while let bytes = read(from: master) {
            output += bytes
            guard let (prompt, reply) = waiting.first,
                let place = output[seen...].firstRange(of: Array(prompt.utf8))
            else { continue }
            (waiting, seen) = (waiting.dropFirst(), place.upperBound)
            _ = Array(reply.utf8).withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
        }
        process.waitUntilExit()
        var modes = termios()
        let line = tcflag_t(ICANON | ECHO)
        return Run(
            status: process.terminationStatus, output: String(decoding: output, as: UTF8.self),
            isByLine: tcgetattr(master, &modes) == 0 && modes.c_lflag & line == line)
    }

    /// `TIOCSPTLCK` and `TIOCGPTPEER`, which unlock and open the other end (ioctl_tty(2)): macros that Swift does not
    /// see.
    private static let (setsLock, opensPeer): (UInt, UInt) = (0x4004_5431, 0x5441)

    /// Both ends. No other child inherits them: the terminal ends with the program.
    private func open() throws -> (master: Int32, slave: Int32) {
        let flags = O_RDWR | O_NOCTTY | O_CLOEXEC
        let master = Glibc.open("/dev/ptmx", flags)
        var lock: Int32 = 0
        var size = winsize(
            ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        guard master >= 0, ioctl(master, Self.setsLock, &lock) == 0,
            ioctl(master, UInt(TIOCSWINSZ), &size) == 0
        else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        let slave = ioctl(master, Self.opensPeer, flags)
        guard slave >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        return (master, slave)
    }

    /// The next bytes; nil once the other end is closed everywhere.
    private func read(from master: Int32) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = Glibc.read(master, &bytes, bytes.count)
        return count > 0 ? Array(bytes.prefix(count)) : nil
    }
}
