import ArgumentParser
import Bytes
import CommandKit
import Nordic

/// SoftDevices in the given order: `0xB6,s140_7.2.0`.
struct SoftDeviceList: ExpressibleByArgument {
    let ids: [UInt32]

    init?(argument: String) {
        var ids: [UInt32] = []
        for word in argument.split(separator: ",", omittingEmptySubsequences: false) {
            let word = word.filter { $0 != " " }
            guard let id = WholeNumber<UInt32>(argument: word)?.value ?? SoftDeviceNames.id(of: word),
                id <= 0xFFFF
            else {
                return nil
            }
            ids.append(id)
        }
        self.ids = ids
    }
}

extension SoftDeviceList: ExplainedArgument {
    static func flaw(in text: String) -> String {
        let words = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let unknown = words.first { SoftDeviceList(argument: $0) == nil } ?? text
        let names = SoftDeviceNames.all
        let family = names.filter { $0.hasPrefix(unknown.lowercased() + "_") }
        let hint = Spelling.hint(for: unknown, in: names)
        let advice =
            !family.isEmpty
            ? "; give one of \(family.joined(separator: ", "))"
            : !hint.isEmpty ? hint : "; `beacon-dfu inspect` shows the id of a SoftDevice's file"
        return "'\(unknown)' is neither an id of a SoftDevice such as 0xB6 nor a name such as s140_6.1.1"
            + advice
    }
}
