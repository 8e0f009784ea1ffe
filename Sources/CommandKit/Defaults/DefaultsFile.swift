import Bytes

/// A file of defaults: a mapping from option names without `--` to values.
struct DefaultsFile {
    /// The path of the file.
    let path: String
    /// The values that it sets, each with its line, from 1.
    let values: [DefaultSetting: (text: String, line: Int)]

    /// The file at `path`. Paths in it are relative to its folder; `~/` is `home`.
    init(path: String, home: String?) throws(CommandFailure) {
        let text = try FirmwareFile(path: path).bytes
        do throws(YAMLProblem) { try self.init(path: path, text, home: home) } catch {
            throw CommandFailure(.command.configInvalid, during: "reading the defaults", error, in: path)
        }
    }

    init(path: String, _ text: [UInt8], home: String?) throws(YAMLProblem) {
        self.path = path
        // A file with only comments sets nothing.
        let isBare = String(decoding: text, as: UTF8.self).split(separator: "\n").allSatisfy {
            $0.drop { $0 == " " }.first.map { $0 == "#" } ?? true
        }
        guard !isBare else {
            values = [:]
            return
        }
        var values: [DefaultSetting: (text: String, line: Int)] = [:]
        let found = try YAMLValue(parsing: text).values(of: DefaultSetting.allCases.map(\.rawValue))
        for (key, value) in found {
            guard let setting = DefaultSetting(rawValue: key) else { continue }
            let text = try value.text()
            if let flaw = setting.flaw(of: text) { throw value.problem("\(key): \(flaw)") }
            values[setting] = (Self.resolved(text, setting, in: path, home), value.line)
        }
        self.values = values
    }

    private static func resolved(_ text: String, _ setting: DefaultSetting, in path: String, _ home: String?)
        -> String
    {
        // Of an adapter, only the file in `sim:FILE` is a path.
        let isScenario = setting == .adapter && text.hasPrefix("sim:")
        guard setting.isPath || isScenario else { return text }
        let name = isScenario ? String(text.dropFirst("sim:".count)) : text
        let whole: String
        if let home, name.hasPrefix("~/") {
            whole = home + name.dropFirst()
        } else if name.hasPrefix("/") {
            whole = name
        } else {
            // A file named without a folder is in the current one, and so are the files that it names.
            whole = (path.lastIndex(of: "/").map { String(path[...$0]) } ?? "") + name
        }
        return isScenario ? "sim:" + whole : whole
    }
}
