import Bytes
import UpdateModel

/// Conditions of `--filter` under names, from a YAML file:
///
///     tray: [vendor=kkm, "rssi>-70"]
///     low: ["battery<20"]
struct FilterFile: Sendable {
    /// The conditions of each name, all of which must hold.
    let filters: [String: [SightingFilter]]

    init(parsing text: [UInt8]) throws(YAMLProblem) {
        var filters: [String: [SightingFilter]] = [:]
        for member in try YAMLValue(parsing: text).members() {
            var conditions: [SightingFilter] = []
            for value in try member.value.list() {
                do throws(FilterError) {
                    conditions.append(try SightingFilter(try Self.text(of: value)))
                } catch {
                    throw value.problem("\(error)")
                }
            }
            guard !conditions.isEmpty else { throw member.value.problem("this name has no conditions") }
            filters[member.key] = conditions
        }
        self.filters = filters
    }

    private static func text(of value: YAMLValue) throws(FilterError) -> String {
        do throws(YAMLProblem) { return try value.text() } catch {
            throw FilterError(column: 1, message: error.message)
        }
    }
}
