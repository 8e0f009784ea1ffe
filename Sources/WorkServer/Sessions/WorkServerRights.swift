/// The roles for each function and view of the work server, for error messages.
enum WorkServerRights {
    typealias Role = WorkServerSurvey.Role

    /// The roles that may run a function or read a view, from the schema's grants, whose keywords are in upper case.
    static let roles: [String: [Role]] = {
        var roles: [String: [Role]] = [:]
        for grant in WorkServerSchema.grants.split(separator: ";") {
            let words = grant.split { $0 == " " || $0 == "," || $0 == "\n" }
            guard let to = words.lastIndex(of: "TO"), !words.contains("USAGE") else { continue }
            let own = words[to...].compactMap { Role(rawValue: String($0.dropFirst("beacon_dfu_".count))) }
            for name in words[..<to] where name == name.lowercased() {
                roles[String(name), default: []] += own
            }
        }
        return roles.mapValues { own in Role.allCases.filter(own.contains) }
    }()

    /// Advice after a denied access. The server's `message`, in any language, contains the name of the function or
    /// view; the advice names the roles that may use it.
    static func nextStep(after message: String) -> String {
        let words = message.split { !($0.isLetter || $0 == "_") }.map(String.init)
        guard let needed = words.lazy.compactMap({ roles[$0] }).first else {
            return "ask the database administrator to grant the login one of the roles beacon_dfu_…"
        }
        let names = needed.map { "beacon_dfu_" + $0.rawValue }
        let all =
            names.count == 1
            ? names[0] : names.dropLast().joined(separator: ", ") + " or " + names[names.count - 1]
        return
            "this needs the role \(all): ask a user who has it, or have the database administrator grant it to you"
    }
}
