import Bluetooth
package import Bytes
package import Tray
package import UpdateModel

extension UpdatePart {
    package var members: [String: JSONValue] { ["part": .integer(number), "parts": .integer(count)] }
}

extension DeviceState {
    /// The state as a member of the event `failed`.
    package var value: JSONValue {
        .object([
            "program": .text(program.rawValue), "address": .text(address.description),
            "application": .text(application.rawValue), "part": part.map { .integer($0.number) } ?? .null,
            "parts": part.map { .integer($0.count) } ?? .null,
            "refused_parts": .list((part?.refused ?? []).map { .integer($0) }),
            "returns_after_seconds": returnsAfter.map { .rounded($0 / .seconds(1)) } ?? .null,
            "advice": .text(advice),
        ])
    }

    package var words: String {
        let state = [place, partWords, applicationWords].compactMap(\.self).joined(separator: "; ")
        return "beacon: \(state). \(advice.prefix(1).uppercased())\(advice.dropFirst())"
    }

    private var place: String {
        switch program {
        // A program that overwrites itself with the update may be gone.
        case .application where isUnfinished: "last seen at \(address)"
        case .application: "in its application at \(address)"
        case .bootloader: "in its bootloader at \(address)"
        case .unknown: "not recognised again, last seen at \(address)"
        }
    }

    private var partWords: String? {
        guard let part else { return nil }
        guard let before = part.before else { return "\(part), is not installed" }
        return "\(before), \(part), is not" + (part.refused.isEmpty ? "" : " installed")
    }

    private var applicationWords: String {
        switch application {
        case .intact: "its application is intact"
        case .gone: "it has no application"
        case .new:
            program == .application ? "that is the new application" : "it confirmed the new application"
        case .unknown:
            switch program {
            case .application where isUnfinished:
                "the new application is not installed, and the old one is intact or partly overwritten"
            case .application: "it is not known whether that is the old one or the new one"
            case .bootloader: "its old application may be erased"
            case .unknown: "it is not known which application it has, if any"
            }
        }
    }

    /// What to do about the beacon; what to do about the failure is the next step.
    private var advice: String {
        switch (program, application) {
        case (.application, .intact): "it works as before"
        case (.application, _):
            "check what it does, and what `beacon-dfu info --device \(address)` shows, before you use it"
        case (.bootloader, .gone), (.bootloader, .new):
            "it does not work until an application is installed"
        case (.bootloader, .intact):
            returnWords
                ?? "switch it off and on to start its application, or update it"
        case (.bootloader, .unknown):
            "do not use it before an update has succeeded"
                + (returnWords.map { "; if its application is intact, \($0)" } ?? "")
        case (.unknown, _): "look for it with `beacon-dfu scan`" + (returnWords.map { "; \($0)" } ?? "")
        }
    }

    /// When a stock bootloader starts the application again; custom ones may wait for a different time, or forever.
    private var returnWords: String? {
        returnsAfter.map {
            "a stock bootloader restarts it after \(Int($0 / .seconds(60))) minutes without an update"
        }
    }
}

extension UnitState {
    package init(_ state: DeviceState) {
        self.init(
            program: state.program.rawValue, address: state.address.withKind,
            application: state.application.rawValue, words: state.words)
    }
}
