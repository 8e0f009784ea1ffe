public import Bluetooth
import Bytes
import FoundationEssentials
import Glibc
import Synchronization

/// The stored state of beacons as files, which survive any end of the program.
///
/// A beacon has `ADDRESS.json`, replaced as a whole at every change, and `ADDRESS.flash`, its flash from the
/// application's start, written in place. Nothing is flushed to disk: the kernel keeps what a killed program wrote, and
/// these are only simulations.
public struct StateFolder: Sendable {
    let path: String

    init(path: String) throws(ScenarioError) {
        self.path = path
        guard mkdir(path.systemPath, 0o755) == 0 || errno == EEXIST else {
            throw ScenarioError(cannotBe: "created", path)
        }
    }

    /// The locks that all programs with this folder take, so that no two write the state of one beacon.
    var locks: NamedLocks? {
        FileStatus(of: path).map { NamedLocks(prefix: "beacon-dfu/simulated/\($0.device)-\($0.inode)/") }
    }

    func file(_ address: DeviceAddress, _ suffix: String) -> String {
        path + "/" + address.description.filter { $0 != ":" } + (address.kind == .public ? "-public" : "")
            + suffix
    }

    /// The stored flash, of `size` bytes, of a beacon at `address` that stores nothing else; nil if none is stored.
    public func retainedFlash(of address: DeviceAddress, size: Int) throws(ScenarioError) -> [UInt8]? {
        let path = file(address, ".flash")
        guard let bytes = try contents(of: path, atMost: size), !bytes.isEmpty else { return nil }
        guard bytes.count == size else { throw ScenarioError(path: path, problem: Self.notAState) }
        return [UInt8](bytes)
    }

    /// A size in bytes that no state reaches, so that no file can exhaust memory.
    static let largestState = 1 << 20
    static let notAState = "not a beacon's state; delete it to start over"

    /// The bytes of a file; nil if it does not exist.
    func contents(of path: String, atMost limit: Int) throws(ScenarioError) -> Data? {
        // Symbolic links are refused: these files are written in place.
        guard let status = FileStatus(of: path, followingLinks: false) else { return nil }
        guard status.kind == S_IFREG, status.size <= limit,
            let bytes = FileManager.default.contents(atPath: path), !bytes.starts(with: "-----BEGIN ".utf8)
        else { throw ScenarioError(path: path, problem: Self.notAState) }
        return bytes
    }

    public func memory(of address: DeviceAddress) throws(ScenarioError) -> any BeaconMemory {
        let flash = file(address, ".flash")
        let descriptor = Glibc.open(
            flash.systemPath, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o644)
        guard descriptor >= 0 else { throw ScenarioError(cannotBe: "written", flash) }
        return FileMemory(state: file(address, ".json"), flash: descriptor)
    }
}

private final class FileMemory: BeaconMemory {
    private let path: String
    private let flash: Int32
    private let last = Mutex<RetainedState?>(nil)
    private let hasBegun = Atomic(false)

    init(state path: String, flash: Int32) { (self.path, self.flash) = (path, flash) }

    deinit { _ = Glibc.close(flash) }

    func begin(with state: RetainedState) {
        guard !hasBegun.exchange(true, ordering: .relaxed), access(path.systemPath, F_OK) != 0 else { return }
        remember(state)
    }

    func remember(_ state: RetainedState) {
        last.withLock { last in
            guard last != state, let json = try? JSONEncoder().encode(state) else { return }
            // Atomic: written to a file in the same folder, then renamed over the old one.
            guard (try? json.write(to: URL(filePath: path), options: .atomic)) != nil else { return }
            last = state
        }
    }

    func remember(image bytes: ArraySlice<UInt8>, at offset: Int) {
        _ = bytes.withUnsafeBytes { pwrite(flash, $0.baseAddress, $0.count, off_t(offset)) }
    }
}

/// Why the stored state of a simulated beacon cannot be used.
public struct ScenarioError: Error, Equatable, Sendable, CustomStringConvertible {
    public enum Kind: Sendable {
        /// The file does not hold a beacon's state.
        case damaged
        /// The file, or its folder, cannot be created or opened.
        case unusable
    }

    public let path: String
    public let problem: String
    public internal(set) var kind = Kind.damaged

    public var description: String { "\(path): \(problem)" }
}

extension ScenarioError {
    /// An error of the system call that has just failed for this file or folder.
    init(cannotBe what: String, _ path: String) {
        self.init(
            path: path, problem: "cannot be \(what): \(String(cString: strerror(errno)))", kind: .unusable)
    }
}
