import Testing
import UpdateModel

@testable import MCUboot

@Suite struct `An upload request` {
    private static let image = (0..<70_000).map { UInt8(truncatingIfNeeded: $0 &* 13) }

    @Test(arguments: [40, 41, 42, 43, 61, 100, 244, 280, 281, 282, 283, 284, 495, 2475, 8192])
    func `fills its frame with whole words`(limit: Int) throws {
        for offset in [4, 20, 24, 252, 256, 260, 65_000, 65_532, 65_536, 69_000, 69_980, 69_996, 69_999] {
            let frame = try #require(
                UploadFrame(of: Self.image, from: offset, first: nil, sequence: 7, limit: limit))
            #expect(frame.bytes.count <= limit && frame.range.lowerBound == offset)
            #expect(frame.bytes.suffix(frame.range.count) == Self.image[frame.range])
            let isLast = frame.range.upperBound == Self.image.count
            #expect(isLast || frame.range.count % 4 == 0)
            // A length of one more byte may be what keeps the last word out.
            #expect(isLast || frame.bytes.count > limit - 6)
            let parsed = try SMPFrame(parsing: frame.bytes)
            #expect(parsed.content.integer("off") == offset && parsed.sequence == 7)
            #expect(parsed.content.bytes("data") == Array(Self.image[frame.range]))
        }
    }

    @Test func `has the image's header if it is the first, or is none`() {
        for limit in 0..<120 {
            let frame = UploadFrame(
                of: Self.image, from: 0, first: ["len": .integer(70_000)], sequence: 0, limit: limit)
            #expect(frame.map { $0.range.count >= 32 && $0.bytes.count <= limit } ?? (limit < 64))
        }
        #expect(UploadFrame(of: Self.image, from: 70_000, first: nil, sequence: 0, limit: 100) == nil)
        #expect(UploadFrame(of: Self.image, from: -1, first: nil, sequence: 0, limit: 100) == nil)
        #expect(UploadFrame(of: [], from: 0, first: [:], sequence: 0, limit: 100) == nil)
    }
}

@Suite struct `A window of upload requests` {
    private static func window(_ count: Int) -> UploadWindow {
        var window = UploadWindow(limit: count)
        for number in 0..<count {
            window.noteRequest(number * 10..<number * 10 + 10, sequence: UInt8(number))
        }
        return window
    }

    @Test func `steps back once for a gap, although each request behind it is answered alike`() {
        var window = Self.window(4)
        #expect(window.next == 40 && window.isFull)
        #expect(window.noteAnswer(to: 0, wanting: 10)?.isGap == false)
        // The second one is lost.
        #expect(window.noteAnswer(to: 2, wanting: 10)?.isGap == true)
        #expect(window.next == 10 && window.limit == 3)
        window.noteRequest(10..<20, sequence: 4)
        #expect(window.noteAnswer(to: 3, wanting: 10)?.isGap == false)
        #expect(window.next == 20)
        #expect(window.noteAnswer(to: 4, wanting: 20)?.isGap == false)
        #expect(window.requests.isEmpty && window.wanted == 20)
    }

    @Test func `takes each answer once`() {
        var window = Self.window(2)
        #expect(window.noteAnswer(to: 1, wanting: 20) != nil)
        #expect(window.noteAnswer(to: 1, wanting: 20) == nil && window.noteAnswer(to: 0, wanting: 10) == nil)
        #expect(window.wanted == 20)
    }

    @Test func `begins after the last answer if none comes`() {
        var window = Self.window(3)
        _ = window.noteAnswer(to: 0, wanting: 10)
        window.noteTimeout()
        #expect(window.next == 10 && window.requests.isEmpty && window.limit == 2)
    }

    @Test(arguments: [-5, 0, 1, 32, 33, .max]) func `has a limit`(limit: Int) {
        #expect((1...32).contains(UploadWindow(limit: limit).limit))
    }
}

@Suite struct `The options of updates over SMP` {
    @Test func `set the confirmation, the window and the erasure`() {
        var preferences = SMPPreferences()
        var values = OptionValues()
        preferences.adopt(values, from: nil)
        #expect(preferences == SMPPreferences())
        (values[.confirm], values[.uploadWindow], values[.eraseStorage]) = ("now", "3", "")
        preferences.adopt(values, from: nil)
        #expect(preferences.confirmation == .now && preferences.window == 3 && preferences.erasesStorage)
    }

    @Test(arguments: ["0", "33", "255", "-1", "300"]) func `refuse a window that is none`(text: String) {
        #expect(VendorOption.uploadWindow.flaw(of: text) != nil)
    }

    @Test func `refuse other times of the confirmation`() {
        #expect(VendorOption.confirm.flaw(of: "later") != nil)
        #expect(VendorOption.uploadWindow.flaw(of: "x") != nil)
        for confirmation in MCUboot.Confirmation.allCases {
            #expect(VendorOption.confirm.flaw(of: confirmation.rawValue) == nil)
        }
    }
}
