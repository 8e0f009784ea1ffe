import Foundation
import TestSupport

/// The built program, run as users run it.
struct Program {
    /// What a run of it gave.
    struct Run {
        let status: Int32
        let output: String
        let talk: String

        /// The JSON objects of the output, one a line.
        var events: [[String: Any]] {
            output.split(separator: "\n").compactMap {
                try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
            }
        }
    }
}
