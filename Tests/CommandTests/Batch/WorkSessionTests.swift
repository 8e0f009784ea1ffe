import Bluetooth
import Foundation
import Synchronization
import TestSupport
import Testing
import Tray
import TrayJournal
import Work

@testable import TrayCommands

@Suite(.timeLimit(.minutes(1))) struct `The work session of a run` {
    /// A work server that answers after its client has stopped waiting.
    private final class LateWorkServer: WorkSource {
        /// One for each heartbeat.
        let greetings = AsyncStream.makeStream(of: Void.self)
        let hasEnded = Mutex(false)

        func sendHeartbeat(_ report: StationReport) async throws(WorkError) -> HeartbeatReply {
            greetings.continuation.yield()
            let (never, held) = AsyncStream.makeStream(of: Void.self)
            for await _ in never {}
            held.finish()
            // It takes a while to notice.
            for _ in 0..<100 { await Task.yield() }
            hasEnded.withLock { $0 = true }
            return HeartbeatReply(contiguous: 0)
        }

        func claim(_ request: ClaimRequest) throws(WorkError) -> ClaimAnswer { throw Self.none }
        func renew(_ claims: [WorkClaim], for lease: Duration) throws(WorkError) -> [Renewal] {
            throw Self.none
        }
        func release(_ claims: [WorkClaim]) throws(WorkError) { throw Self.none }
        func deliver(_ results: [WorkResult]) throws(WorkError) -> [DeliveryAnswer] { throw Self.none }
        func catalogue(since known: Int64?) throws(WorkError) -> PublishedCatalogue? { throw Self.none }
        func catalogue(version: Int64) throws(WorkError) -> PublishedCatalogue { throw Self.none }
        func file(_ sha256: String) throws(WorkError) -> [UInt8] { throw Self.none }

        private static let none = WorkError(.refused, "no-work", during: "", message: "")
    }

    private struct Broken: Error {}

    @Test func `leaves no delivery that would use a closed journal when the run fails`()
        async throws
    {
        let folder = FileManager.default.temporaryDirectory.appending(path: "desk-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let journal = try await Journal.open(
            at: folder + "/journal.sqlite", owner: JournalOwner(tray: nil), work: .onCallersThread)
        defer { journal.close() }
        var record = TrayRecord(id: "run")
        record.units = [UnitRecord(slot: "a")]
        let run = try await journal.begin(record)
        let engine = LateWorkServer()
        let work = TrayWork(engine, order: nil, lease: .seconds(120), station: "line1")
        let workSession = try #require(
            WorkSession(work, run, time: try EventLoop.shared.get().clock) { _ in })
        await #expect(throws: Broken.self) {
            try await workSession.run { _ in
            } _: {
                var greetings = engine.greetings.stream.makeAsyncIterator()
                await greetings.next()
                throw Broken()
            }
        }
        #expect(engine.hasEnded.withLock { $0 })
    }
}
