import Foundation

/// A file system in memory that is soon full.
final class SmallDisk: Sendable {
    let path: String

    init(megabytes: Int) throws {
        path = NSTemporaryDirectory() + "beacon-dfu-disk-" + UUID().uuidString.prefix(8)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        guard mount("tmpfs", path, "tmpfs", 0, "size=\(megabytes)m,mode=0755") == 0 else {
            throw PostgresServer.Failure(description: "mount: \(errno)")
        }
        try PostgresServer.own(path)
    }

    /// Uses up all space except a little.
    func fill() throws {
        let descriptor = open(path + "/ballast", O_WRONLY | O_CREAT, 0o600)
        defer { close(descriptor) }
        let block = [UInt8](repeating: 0, count: 1 << 16)
        while write(descriptor, block, block.count) == block.count {}
    }

    func empty() throws { unlink(path + "/ballast") }

    func remove() {
        umount2(path, Int32(MNT_DETACH))
        rmdir(path)
    }
}
