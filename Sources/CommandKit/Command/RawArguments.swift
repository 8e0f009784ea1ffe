import Bytes
import CBuildNote
import Glibc

/// The unmodified command line. `CommandLine.arguments` repairs text that is not UTF-8, and would name other files.
enum RawArguments {
    /// All arguments without the program's name, each as ``PathText``.
    static var all: [String] {
        var arguments: [String] = []
        for index in 1..<max(1, own_argument_count()) {
            guard let argument = own_argument(index) else { break }
            let bytes = UnsafeBufferPointer(start: argument, count: strlen(argument))
            arguments.append(PathText.text(of: bytes.map(UInt8.init(bitPattern:))))
        }
        return arguments
    }

    /// An argument that is the name of an existing file but would be parsed as short options: the `h` in `-dash.zip`
    /// would print the help.
    static func fileLikeOptions(in arguments: [String]) -> String? {
        arguments.prefix { $0 != "--" }.first { argument in
            argument.hasPrefix("-") && !argument.hasPrefix("--") && argument.utf8.count > 2
                && access(argument.systemPath, F_OK) == 0
        }
    }
}
