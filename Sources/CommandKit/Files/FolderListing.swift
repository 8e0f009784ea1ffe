import Bytes
import Glibc

/// All names in a folder, including names that are not UTF-8.
package struct FolderListing {
    /// As ``PathText``, sorted; without `.` and `..`.
    package let names: [String]

    /// Reads the folder at `path`.
    package init(path: String) throws(CommandFailure) {
        guard let folder = opendir(path.systemPath) else { throw InputFile.unreadable(path) }
        defer { closedir(folder) }
        var names: [String] = []
        while true {
            // Only `errno` distinguishes the end from an error (readdir(3)).
            errno = 0
            guard let entry = readdir(folder) else {
                guard errno == 0 else { throw InputFile.unreadable(path) }
                break
            }
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { PathText.text(of: $0.prefix { $0 != 0 }) }
            if name != ".", name != ".." { names.append(name) }
        }
        self.names = names.sorted()
    }
}
