import Bytes
import TestSupport

@testable import KKM

extension FuzzTarget {
    /// An answer with settings: the accepted values are written to the file unchanged.
    static let kbeaconSettings = FuzzTarget("kbeacon-settings", seeds: { settingsAnswers }) { input in
        var found = KBeaconSettings(.second)
        guard found.add(answer: input), !found.values.isEmpty else { return }
        let text = found.lines.joined(separator: "\n")
        let read: KBeaconSettings
        do throws(YAMLProblem) {
            read = try KBeaconSettings(try YAMLValue(parsing: Array(text.utf8)), besides: [])
        } catch {
            throw Violation(description: "\(error): \(text)")
        }
        try demand(read == found, "other settings than were read: \(text)")
        try demand(!text.contains("pwd:"), "a password")
    }

    private static let settingsAnswers: [[UInt8]] = [
        #"{"name":"KBPro_1","nBlk":0,"advObj":[{"slot":0,"type":5,"conn":1,"advPrd":1000.0,"majorID":1}]}"#,
        #"{"model":"KBPro","pwd":"x","trObj":[{"trIdx":0,"trType":8,"trPara":-10},{"trIdx":0},7],"srObj":{}}"#,
        #"{"new":{"a":[1,-2.5e3,null,true,"\u0001\"\\"]},"":[],"uuid":"E2C56DB5","name":7,"conn":"0x1"}"#,
    ].map { Array($0.utf8) }
}
