import Foundation
import Synchronization
import TestSupport
import Testing
import UpdateModel
import WorkServerInMemory

@testable import Work

@Suite struct `Files in a station's cache` {
    private let bytes = Array("a package".utf8)

    @Test func `replace damaged ones, and follow no link`() throws {
        try Tool.inFolder { folder in
            let cache = FileCache(folder + "/cache")
            let (path, victim) = (folder + "/cache/sha256/x", folder + "/victim")
            try cache.store(bytes, at: path)
            try cache.store(Array("cut".utf8), at: path)
            try cache.store(bytes, at: path)
            #expect(FileCache.contents(of: path) == bytes)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/cache/sha256") == ["x"])
            try Tool.write(Array("notes".utf8), as: "victim", in: folder)
            #expect(unlink(path) == 0 && symlink(victim, path) == 0)
            #expect(throws: WorkError.self) { try cache.store(bytes, at: path) }
            #expect(try Samples.file(at: victim) == Array("notes".utf8))
        }
    }

    @Test func `come from the work server if the mirror sends something else`() async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/cache-\(UUID())"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let server = MemoryWorkServer()
        let sha256 = server.put(bytes)
        let told = Mutex<[FailureCode]>([])
        let cache = FileCache(folder, mirror: { (_) throws(WorkError) in Array("another".utf8) }) { error in
            told.withLock { $0.append(error.code) }
        }
        let path = try await cache.path(of: sha256, called: "a.zip", from: server.source())
        #expect(FileCache.contents(of: path) == bytes)
        #expect(told.withLock { $0 } == [.workServer.fileHashMismatch])
    }

    @Test(arguments: ["-----BEGIN PRIVATE KEY-----\n", "a text"])
    func `replace no other file`(_ text: String) throws {
        try Tool.inFolder { folder in
            let cache = FileCache(folder)
            let order = CachedOrder(
                WorkOrder(number: "WO-1", state: .open, firmware: .file(name: "a.zip", sha256: "0")))
            try cache.store(order)
            #expect(cache.order("WO-1") == order)
            let note = try #require(
                FileManager.default.contentsOfDirectory(atPath: folder + "/order").first)
            try Tool.write(Array(text.utf8), as: note, in: folder + "/order")
            #expect(throws: WorkError.self) { try cache.store(order) }
            #expect(try Samples.file(at: folder + "/order/" + note) == Array(text.utf8))
        }
    }
}
