/// The roles for each function and view of the work server: the grants of its schema, repeated here for error messages.
enum WorkServerRights {
    typealias Role = WorkServerSurvey.Role

    private static let readers: [Role] = [.viewer, .approver, .admin]

    /// The roles that may run a function or read a view.
    static let roles: [String: [Role]] = {
        var roles: [String: [Role]] = [:]
        func grant(_ names: String, _ own: [Role]) {
            for name in names.split(separator: " ") { roles[String(name)] = own }
        }
        grant("greet claim renew release deliver", [.station])
        grant("about policies catalogue file", Role.allCases)
        grant(
            "orders units stations results refused_results events catalogues catalogue_files recalled_files protocol_flaw told",
            readers)
        grant("release_order cancel_order retry_units", [.approver])
        grant("hold_order remove_units", [.approver, .admin])
        grant(
            "create_order add_units set_expected put_file publish_catalogue withdraw_catalogue recall_file "
                + "readmit_station set_max_offline", [.admin])
        return roles
    }()

    /// Advice after the server's `message` about a denied access, which contains the denied name in any language. The
    /// login has none of the returned roles.
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
