import Bytes
import Glibc
import TestSupport
import Testing

@Suite struct `A draft of a file` {
    private let bytes = Array("a package".utf8)

    @Test func `gets a free name, or replaces a file, and leaves nothing else`() throws {
        try Tool.inFolder { folder in
            for replaces in [false, true] {
                var draft = try FileDraft(in: folder, mode: 0o600)
                try draft.append(Array(bytes.prefix(3)))
                try draft.append(Array(bytes.dropFirst(3)))
                try draft.flush()
                #expect(try draft.publish(at: folder + "/x") != replaces)
                if replaces { try draft.replace(folder + "/x") }
            }
            #expect(try FileBytes.names(in: folder) == ["x"])
            #expect(FileBytes.contents(of: folder + "/x", atMost: bytes.count) == bytes)
            #expect(FileBytes.contents(of: folder + "/x", atMost: bytes.count - 1) == nil)
            #expect(FileBytes.contents(of: folder + "/x", atMost: 1, isWhole: false) == [bytes[0]])
            #expect(rmdir(folder) != 0 && unlink(folder + "/x") == 0)
            let unused = try FileDraft(in: folder, mode: 0o600)
            #expect(unused.descriptor >= 0)
        }
    }

    @Test func `has a real path without links, whose name need not be UTF-8`() throws {
        try Tool.inFolder { folder in
            let root = try #require(FileBytes.realPath(of: folder))
            let (file, link) = (folder + "/" + PathText.text(of: [0x61, 0xFF]), folder + "/link")
            var draft = try FileDraft(in: folder, mode: 0o600)
            try draft.append(bytes)
            #expect(try draft.publish(at: file))
            #expect(symlink(file.systemPath, link.systemPath) == 0)
            #expect(FileBytes.realPath(of: link) == root + "/" + PathText.text(of: [0x61, 0xFF]))
            #expect(FileBytes.realPath(of: folder + "/" + PathText.text(of: [0x61, 0xFE])) == nil)
        }
    }

    @Test func `fails with the system's error`() {
        #expect(throws: FileProblem.system(ENOENT)) { try FileBytes.flush(folder: "/nowhere/at-all") }
        let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
        defer { close(full) }
        #expect(throws: FileProblem.system(ENOSPC)) { try FileBytes.write(bytes, to: full) }
        #expect(FileProblem.system(ENOSPC).words == ": No space left on device")
    }

    @Test func `is not needed to read a file without a size`() {
        #expect(FileBytes.contents(of: "/proc/self/comm", atMost: 64)?.last == UInt8(ascii: "\n"))
        #expect(FileBytes.contents(of: "/proc/self", atMost: 64) == nil)
    }
}
