import Bluetooth
import Bytes
import CLinux
import Firmware
import FoundationEssentials
import Glibc
import Tray
import TrayJournal

package enum BenchSurvey {
    /// The weakest signal of a beacon within arm's reach, in dBm.
    private static let nearStrength: Int8 = -60

    package static func air(
        of radios: [NamedAdapter], for length: Duration, telling console: Console
    ) async throws -> [BenchFacts.Air] {
        var all: [BenchFacts.Air] = []
        for radio in radios {
            let line = ActivityLine(on: console, time: radio.adapter.time)
            let heard = try await line.showing("\(radio.name) listens", for: length) {
                try await radio.adapter.listen(for: length) { _ in false }
            }
            let reports = heard.all.reduce(0) { $0 + $1.heard.reports }
            all.append(
                BenchFacts.Air(
                    adapter: radio.name, beacons: heard.count,
                    near: heard.all.count { $0.heard.strength.maximum ?? .min >= nearStrength },
                    reportsPerSecond: Double(reports) / (length / .seconds(1))))
        }
        return all
    }

    /// The machine itself: the journal at `path`, its disk, and the clock.
    package static func machine(journal path: String) async -> BenchFacts {
        var facts = BenchFacts()
        facts.journal = await journal(at: path)
        (facts.isClockSynchronised, facts.year) = (isClockSynchronised, year)
        return facts
    }

    private static func journal(at path: String) async -> BenchFacts.JournalState {
        var state = BenchFacts.JournalState(path: path)
        state.free = free(around: path)
        do throws(JournalError) {
            let journal = try await Journal.reading(path)
            defer { journal.close() }
            state.unfinished = try await journal.unfinishedRuns().count
            state.waiting = try await journal.outbox(in: [.waiting, .sent], limit: 1000).count
        } catch {
            guard error.problem != .missing else { return state }
            (state.flaw, state.remedy) = ("\(error)", error.nextStep)
        }
        return state
    }

    package static func catalogue(at path: String) -> BenchFacts.CatalogueState {
        var state = BenchFacts.CatalogueState(path: path)
        do throws(CommandFailure) {
            let folder = try CatalogueFolder(path: path)
            state.releases = folder.catalogue.families.reduce(0) { $0 + $1.firmware.count }
        } catch { state.flaw = error.message }
        let changes =
            (try? InputFile.names(inFolder: path))?.compactMap {
                FileStatus(of: path.entry($0))?.modified
            } ?? []
        if let latest = changes.max() { state.age = max(0, (time(nil) - latest) / 86_400) }
        return state
    }

    /// Whether the clock is synchronised, by the kernel (adjtimex(2)); nil if it does not report that.
    private static var isClockSynchronised: Bool? {
        var clock = timex()
        guard adjtimex(&clock) >= 0 else { return nil }
        return clock.status & STA_UNSYNC == 0
    }

    private static var year: Int {
        var now = time(nil)
        var parts = tm()
        return gmtime_r(&now, &parts) == nil ? 0 : Int(parts.tm_year) + 1900
    }

    /// Bytes that a user may write to the disk of `path`, or of its nearest existing folder.
    private static func free(around path: String) -> UInt64? {
        var folder = path
        while !folder.isEmpty {
            if let free = free(at: folder) { return free }
            guard let end = folder.lastIndex(of: "/") else { break }
            folder = String(folder[..<end])
        }
        return free(at: path.hasPrefix("/") ? "/" : ".")
    }

    private static func free(at path: String) -> UInt64? {
        var disk = statvfs()
        guard statvfs(path.systemPath, &disk) == 0 else { return nil }
        return UInt64(disk.f_bavail) * UInt64(disk.f_frsize)
    }
}

/// The state of a bench before a shift, as far as it was checked. A value, so that its checks can be tested.
package struct BenchFacts: Equatable, Sendable {
    package struct Air: Equatable, Sendable {
        let adapter: String
        let beacons: Int
        /// How many of them are as strong as beacons on the bench.
        let near: Int
        let reportsPerSecond: Double
    }

    package struct JournalState: Equatable, Sendable {
        let path: String
        /// Why it cannot be used; nil if it can, or does not exist yet.
        var flaw: String?
        var remedy: String?
        var unfinished = 0
        /// The number of results that hooks have not accepted.
        var waiting = 0
        /// Bytes free on its disk; nil if that cannot be determined.
        var free: UInt64?
    }

    package struct CatalogueState: Equatable, Sendable {
        let path: String
        var flaw: String?
        var releases = 0
        /// Days since the latest of its files was changed.
        var age = 0
    }

    /// The most links that an adapter is asked for.
    var links = LinkSlots.usual
    package var isSimulated = false
    package var air: [Air] = []
    var journal: JournalState?
    package var catalogue: CatalogueState?
    /// Whether the clock is synchronised; nil if that cannot be determined.
    var isClockSynchronised: Bool?
    var year = 0
}
