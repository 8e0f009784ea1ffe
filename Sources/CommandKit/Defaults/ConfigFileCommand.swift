package import ArgumentParser
import Bytes
package import UpdateModel

package struct ConfigFileCommand: PlainCommand {
    package static let configuration = CommandConfiguration(
        commandName: "config-file", abstract: "Show the defaults of options, and where they come from.",
        discussion: """
            Example: with `adapter: hci1` in ~/.config/beacon-dfu/config.yaml, `beacon-dfu config-file` prints that value and \
            its line number, and every command uses hci1.
            Options override environment variables (BEACON_DFU_ADAPTER, BEACON_DFU_LOG_LEVEL and so on), which override the \
            user's file, which overrides /etc/beacon-dfu/config.yaml. BEACON_DFU_CONFIG names another file instead of both.
            """)

    @OptionGroup package var plain: PlainOptions

    package func perform(_ console: Console) async throws -> ExitStatus {
        let defaults = try Defaults.own.get()
        for setting in DefaultSetting.allCases {
            let value = defaults.values[setting]
            console.event(
                JSONLine("default").adding([
                    "setting": .text(setting.rawValue), "value": .optional(value?.text),
                    "from": .optional(value?.origin.text),
                ]))
        }
        for file in defaults.files {
            console.event(JSONLine("config-file", ["file": .text(file.path), "read": .bool(file.exists)]))
        }
        guard !console.style.isJSON else { return .done }
        let table = Table(headings: ["SETTING", "VALUE", "FROM"])
        let rows = DefaultSetting.allCases.map { setting in
            let value = defaults.values[setting]
            return [setting.rawValue, value?.text ?? "-", value?.origin.text ?? "-"].map { TerminalText($0) }
        }
        console.results(table.lines(rows, width: nil))
        for file in defaults.files where !file.exists { console.notice("not found: \(file.path)") }
        return .done
    }

    package init() {}
}
