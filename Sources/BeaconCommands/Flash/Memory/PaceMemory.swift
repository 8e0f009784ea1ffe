import FoundationEssentials
import Glibc
import Logging
import UpdateCore

/// What updates have learned of devices' pace, per model and bootloader, from one run to the next.
///
/// A file of JSON under `$XDG_STATE_HOME/beacon-dfu` (`~/.local/state` where that is not set, XDG Base Directory
/// Specification 0.8); see docs/formats/pace.md. It makes updates faster and nothing else depends on it: what cannot be
/// read or written is logged and passed over. A file of a later version is left alone.
struct PaceMemory: Sendable {
    /// The file's content.
    struct Content: Codable, Equatable {
        static let currentVersion = 1
        /// As many models as are kept; beyond that nothing is added.
        static let most = 1000

        var version = currentVersion
        /// By the kind of update, then by model.
        var kinds: [String: [String: [Lesson]]] = [:]
    }

    private static let longestFile = 4 << 20

    let path: String
    private let log: Logger

    /// The memory of real devices, or of simulated ones; nil where there is no place for it.
    init?(isSimulated: Bool, environment: [String: String], log: Logger) {
        // A relative path counts as unset, by the specification.
        let state = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 + "/.local/state" : nil }
        guard let folder = state ?? home else { return nil }
        path = folder + "/beacon-dfu/" + (isSimulated ? "pace-simulated.json" : "pace.json")
        self.log = log
    }

    /// What beacons of this name are kept as: a name of our making is one unit's for one update, so such a bootloader
    /// counts as one without a name.
    static func model(named name: String?) -> String {
        name.flatMap { BootloaderName.isOurs($0) ? nil : $0 } ?? "unnamed"
    }

    /// What is known of `model` by updates of this kind.
    func lessons(kind: String, model: String) -> [Lesson] { content()?.kinds[kind]?[model] ?? [] }

    /// Keeps `lesson` in place of what was known of such a bootloader.
    func keep(_ lesson: Lesson, kind: String, model: String) {
        guard var content = content() else { return }
        let known = content.kinds[kind]?[model]
        guard known != nil || content.kinds.values.reduce(0, { $0 + $1.count }) < Content.most else { return }
        let lessons = (known ?? []).filter { $0.bootloader != lesson.bootloader } + [lesson]
        guard lessons != known else { return }
        content.kinds[kind, default: [:]][model] = lessons
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        guard let bytes = try? encoder.encode(content) else { return }
        do throws(CommandFailure) {
            try makeFolder()
            try OutputFile.write(Array(bytes) + [0x0A], to: path)
        } catch { log.notice("what was learned of \(model) is not kept: \(error.message)") }
    }

    /// Nil where a file is not to be replaced.
    private func content() -> Content? {
        var status = stat()
        guard stat(path, &status) == 0 else { return errno == ENOENT ? Content() : nil }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_size <= Self.longestFile,
            let bytes = FileManager.default.contents(atPath: path)
        else {
            log.notice("\(path) cannot be read and is not used")
            return nil
        }
        guard let content = try? JSONDecoder().decode(Content.self, from: bytes) else {
            // A later version may have other members.
            struct Version: Decodable { var version: Int }
            let version = try? JSONDecoder().decode(Version.self, from: bytes)
            guard version?.version ?? 0 <= Content.currentVersion else { return nil }
            log.notice("\(path) is damaged and is begun anew")
            return Content()
        }
        return content.version == Content.currentVersion ? content : nil
    }

    private func makeFolder() throws(CommandFailure) {
        let folder = path.split(separator: "/").dropLast()
        for count in 1...folder.count {
            let part = "/" + folder.prefix(count).joined(separator: "/")
            guard mkdir(part, 0o700) == 0 || errno == EEXIST else { throw OutputFile.failure(part) }
        }
    }
}
