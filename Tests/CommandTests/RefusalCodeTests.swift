import TestSupport
import Testing
import UpdateModel

@testable import CommandKit
@testable import Dialog

/// Codes that are chosen by a number from the air, which no search of the source finds.
@Suite struct `The codes of refusals` {
    @Test(arguments: ["dialog/58x.img", "dialog/68x.img", "dialog/69x.img"])
    func `have an explanation for any answer of a SUOTA device in any state`(_ sample: String) throws {
        let image = try SUOTAImage(parsing: try Samples.bytes(sample))
        let steps: [SUOTAStep] = [.preparing, .starting, .sending, .ending]
        for status in UInt8.min...UInt8.max {
            for step in steps {
                let code = SUOTARefusal(
                    status: SUOTAStatus(code: status), step: step, image: image,
                    preferences: SUOTAPreferences(), block: 240
                ).failure.code
                #expect(FailureCode.known(code.rawValue) != nil, "\(status) while \(step): \(code)")
            }
        }
    }
}
