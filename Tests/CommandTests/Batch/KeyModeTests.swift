import Foundation
import Glibc
import Testing

@testable import CommandKit

@Suite(.timeLimit(.minutes(10)), .serialized) struct `A terminal with key input` {
    /// Both ends of a terminal that no process uses.
    private static func terminal() throws -> (master: Int32, slave: Int32) {
        var (master, slave): (Int32, Int32) = (-1, -1)
        guard openpty(&master, &slave, nil, nil, nil) == 0 else { throw POSIXError(.EIO) }
        return (master, slave)
    }

    private static func isByLine(_ descriptor: Int32) -> Bool {
        var modes = termios()
        return tcgetattr(descriptor, &modes) == 0
            && modes.c_lflag & tcflag_t(ICANON | ECHO) == tcflag_t(ICANON | ECHO)
    }

    @Test func `is left alone if the program is not in the foreground`() throws {
        let (master, slave) = try Self.terminal()
        defer { for end in [master, slave] { close(end) } }
        if KeyMode(slave) != nil { Issue.record("it was taken") }
        #expect(Self.isByLine(slave))
    }

    @Test func `is not a file`() throws {
        let file = open("/dev/null", O_RDWR)
        defer { close(file) }
        if KeyMode(file) != nil { Issue.record("it was taken") }
    }

    @Test func `is reset by a keeper process once nothing else can do it`() throws {
        let (master, slave) = try Self.terminal()
        defer { for end in [master, slave] { close(end) } }
        let keeper = try #require(TerminalRestorer(slave))
        var modes = termios()
        tcgetattr(slave, &modes)
        modes.c_lflag &= ~tcflag_t(ICANON | ECHO)
        tcsetattr(slave, TCSANOW, &modes)
        #expect(!Self.isByLine(slave))
        keeper.closePipeAndWait()
        #expect(Self.isByLine(slave))
    }

    @Test func `is left to a program whose keeper process is not needed`() throws {
        let (master, slave) = try Self.terminal()
        defer { for end in [master, slave] { close(end) } }
        let keeper = try #require(TerminalRestorer(slave))
        var modes = termios()
        tcgetattr(slave, &modes)
        modes.c_lflag &= ~tcflag_t(ICANON)
        tcsetattr(slave, TCSANOW, &modes)
        keeper.dismiss()
        #expect(!Self.isByLine(slave))
    }
}
