import Bluetooth
import Bytes
import CommandKit
import Firmware
import Glibc
import Synchronization
import Tray

/// The dialogue about scanned codes: on the terminal, and on the page of the run if there is one.
final class CodePrompt: Sendable {
    /// How many messages the page shows.
    private static let mostMessages = 4

    private let console: Console
    /// Nil if no page is served.
    private let page: RunPage?
    private let latestMessages = Mutex<[String]>([])

    init(_ console: Console, _ page: RunPage?) { (self.console, self.page) = (console, page) }

    func talk(_ text: String) {
        console.notice(TerminalText(text))
        note(text)
    }

    func warn(_ text: String) {
        console.warn(.tray.codeRefused, text)
        note(text)
    }

    private func note(_ text: String) {
        latestMessages.withLock { messages in
            messages.append(text)
            messages.removeFirst(max(0, messages.count - Self.mostMessages))
        }
    }

    /// Asks for the label of the slot `next`, or whether to accept a refused code (`asks`): with `words` on the terminal and
    /// `short` on the page, which has a button for each answer. `beacons` describes the beacon of a filled slot.
    func ask(
        _ words: TerminalText, short: String, next: String, asks: Bool, _ filling: SlotFilling,
        beacons: (DeviceSelector) -> String
    ) {
        console.notice(words)
        guard let page else { return }
        let (skipped, messages) = (Set(filling.skipped), latestMessages.withLock { $0 })
        let slots = filling.tray.slots.map { slot in
            JSONValue.members([
                "slot": .text(slot.label), "beacon": .optional(slot.device.map(beacons)),
                "is_skipped": .bool(skipped.contains(slot.label)),
            ])
        }
        page.tell(
            JSONLine("slots").adding([
                "slots": .list(slots), "next": .text(next), "prompt": .text(short), "asks": .bool(asks),
                "said": .list(messages.map { .text($0) }),
            ]))
    }

    /// Runs `body` with the lines of the keyboard and of the page. They end when the keyboard's end; but if stdin is not a
    /// terminal and ends without a line, all lines come from the page.
    func reading<Value: Sendable>(
        _ body: @escaping @Sendable (inout CodeLines) async throws -> Value
    ) async throws -> Value {
        guard let page else {
            var lines = CodeLines.keyboard(TypedLines())
            return try await body(&lines)
        }
        let (lines, put) = AsyncStream.makeStream(of: CodeLine.self)
        let loop = try EventLoop.shared.get()
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { [console] in
                try await withThrowingDiscardingTaskGroup { sources in
                    sources.addTask {
                        var typed = TypedLines()
                        let isSeen = isatty(STDIN_FILENO) == 1
                        var hasLines = isSeen
                        while let line = try await typed.next() {
                            hasLines = true
                            put.yield(CodeLine(text: line, isSeen: isSeen))
                        }
                        if hasLines { put.finish() }
                    }
                    sources.addTask {
                        await page.serve(on: loop) { request in
                            guard request.wish == "scan", let text = request.text else { return }
                            console.event(
                                JSONLine("wish").adding([
                                    "wish": .text("scan"), "slot": .null, "text": .text(text),
                                    "by": .text(request.by),
                                ]))
                            put.yield(CodeLine(text: text, isSeen: true))
                        }
                    }
                }
                // The keyboard and the page have ended.
                put.finish()
                return nil
            }
            group.addTask {
                var read = CodeLines.stream(lines)
                return try await body(&read)
            }
            defer { group.cancelAll() }
            while let value = try await group.next() { if let value { return value } }
            throw CancellationError()
        }
    }
}

struct CodeLine: Sendable {
    let text: String
    /// Whether it comes from a person who sees the prompt and can answer it.
    let isSeen: Bool
}

/// The lines of the keyboard alone, or those of the keyboard and the page.
enum CodeLines {
    case keyboard(TypedLines)
    case stream(AsyncStream<CodeLine>)

    /// The next line; nil at the end. Throws when the task is cancelled.
    mutating func next() async throws -> CodeLine? {
        switch self {
        case .keyboard(var lines):
            let line = try await lines.next()
            self = .keyboard(lines)
            return line.map { CodeLine(text: $0, isSeen: isatty(STDIN_FILENO) == 1) }
        case .stream(let lines):
            var read = lines.makeAsyncIterator()
            let line = await read.next()
            try Task.checkCancellation()
            return line
        }
    }
}
