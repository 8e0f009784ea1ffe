import Bytes
import Foundation
import TestSupport
import Testing

/// The same files as another program reads and writes them.
@Suite(.timeLimit(.minutes(10))) struct `GNU objcopy` {
    private func objcopy(_ arguments: [String]) throws {
        let run = try Tool.run(["objcopy"] + arguments)
        #expect(run.status == 0, "objcopy (binutils) is missing or refuses the file: \(run.talk)")
    }

    /// The result of `body` for the paths of two files, which are removed afterwards.
    private func inFolder<Value>(_ body: (_ source: String, _ target: String) throws -> Value) throws -> Value
    {
        try Tool.inFolder { try body($0 + "/source", $0 + "/target") }
    }

    @Test(arguments: ["application", "segmented"])
    func `flattens a file to the same bytes`(_ name: String) throws {
        let text = try Samples.bytes("hex/\(name).hex")
        let bytes = try inFolder { source, target in
            try Data(text).write(to: URL(filePath: source))
            try objcopy(["-I", "ihex", "-O", "binary", "--gap-fill", "0xff", source, target])
            return try Samples.file(at: target)
        }
        #expect(try IntelHexFile(parsing: text).flattened().bytes == bytes)
    }

    @Test(arguments: [0, 0xFFF0, 0x26000, 0x10_0001, 0x1000_0000])
    func `writes a file that is read back as the original bytes`(_ address: UInt32) throws {
        let bytes = (0..<70_000).map { UInt8($0 % 251) }
        let text = try inFolder { source, target in
            try Data(bytes).write(to: URL(filePath: source))
            try objcopy(["-I", "binary", "-O", "ihex", "--change-addresses", "\(address)", source, target])
            return try Samples.file(at: target)
        }
        let image = try IntelHexFile(parsing: text).flattened()
        #expect(image.address == address)
        #expect(image.bytes == bytes)
    }
}
