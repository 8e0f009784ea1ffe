import ByteCoding
import CBuildNote
import Glibc

/// The command line as it was given. `CommandLine.arguments` repairs what is not UTF-8, and would name other files.
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

    /// An argument that would be taken for short options and is a file's name: in `-dash.zip` is an `h`, which would
    /// print the help.
    static func fileLikeOptions(in arguments: [String]) -> String? {
        arguments.prefix { $0 != "--" }.first { argument in
            argument.hasPrefix("-") && !argument.hasPrefix("--") && argument.utf8.count > 2
                && access(argument.systemPath, F_OK) == 0
        }
    }
}
