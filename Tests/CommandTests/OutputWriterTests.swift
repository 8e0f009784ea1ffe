import Foundation
import Logging
import Testing

@testable import CommandKit

@Suite(.timeLimit(.minutes(10))) struct `An output writer whose reader has stopped` {
    /// A pipe that accepts no more data.
    static func fullPipe() -> Pipe {
        let pipe = Pipe()
        let descriptor = pipe.fileHandleForWriting.fileDescriptor
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        while write(descriptor, [0x0A], 1) == 1 {}
        _ = fcntl(descriptor, F_SETFL, 0)
        return pipe
    }

    /// The lines in `pipe` at the end.
    static func lines(of pipe: Pipe, _ writer: OutputWriter) async -> [String] {
        async let text = Task.detached { () -> Data in
            var text = Data()
            while !text.suffix(5).elementsEqual(Data("end!\n".utf8)) {
                text += pipe.fileHandleForReading.availableData
            }
            return text
        }.value
        writer.put("end!\n", to: pipe.fileHandleForWriting.fileDescriptor)
        let all = await text
        await writer.drained()
        return String(decoding: all, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test func `keeps every result and only the latest progress`() async {
        let pipe = Self.fullPipe()
        let descriptor = pipe.fileHandleForWriting.fileDescriptor
        let writer = OutputWriter()
        let filling = String(repeating: "x", count: OutputWriter.fewBytes) + "\n"
        writer.put(filling, to: descriptor)
        writer.put(filling, to: descriptor)
        for number in 0..<10_000 {
            writer.put("progress \(number)\n", to: descriptor, .latest("progress"))
            if number.isMultiple(of: 1000) { writer.put("result \(number)\n", to: descriptor) }
        }
        let lines = await Self.lines(of: pipe, writer)
        #expect(lines.filter { $0.hasPrefix("result") } == (0..<10).map { "result \($0 * 1000)" })
        // One may be among those being written when the next ones come.
        let progress = lines.filter { $0.hasPrefix("progress") }
        #expect(progress.last == "progress 9999" && progress.count <= 2)
        #expect(lines.last == "end!")
    }

    @Test func `drops diagnostics and reports how many`() async {
        let pipe = Self.fullPipe()
        let descriptor = pipe.fileHandleForWriting.fileDescriptor
        let writer = OutputWriter()
        let line = String(repeating: "d", count: 1023) + "\n"
        for _ in 0..<2000 { writer.put(line, to: descriptor, .diagnostic) }
        async let read = Self.lines(of: pipe, writer)
        _ = await read
        for number in 0..<1 { writer.put("after \(number)\n", to: descriptor, .diagnostic) }
        let lines = await Self.lines(of: pipe, writer)
        #expect(lines.first == "976 lines of diagnostics were left out here: no program read them")
    }
}

@Suite struct `A line of the log` {
    @Test func `escapes control characters in messages and metadata`() {
        let event = LogEvent(
            level: .info, message: "A\u{1B}]52;c;ZWNobw==\u{7}B\r\nC", metadata: nil, source: "", file: "",
            function: "", line: 0)
        let line = TextLogHandler.line(event, "beacon\u{9B}", ["name": "two words\n", "n": "1"])
        #expect(
            line.hasSuffix(
                "info beacon\\u{9b}: A\\u{1b}]52;c;ZWNobw==\\u{7}B\\r\\nC n=1 name=\"two words\\n\""))
    }

    @Test func `begins with the time in milliseconds`() throws {
        let event = LogEvent(
            level: .info, message: "", metadata: nil, source: "", file: "", function: "", line: 0)
        #expect(
            try /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z info .*/.wholeMatch(
                in: TextLogHandler.line(event, "a", [:])) != nil)
    }
}
