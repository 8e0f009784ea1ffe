import Testing

@testable import BeaconCommands

@Suite struct `The table of explanations` {
    @Test func `has each code once, in kebab case`() {
        let codes = Explanation.all.map(\.code)
        #expect(Set(codes).count == codes.count)
        for code in codes {
            #expect(code.allSatisfy { $0.isLowercase || $0 == "-" || $0.isNumber }, "\(code)")
        }
    }

    @Test func `ends every meaning with a full stop and no next step with one`() {
        for entry in Explanation.all {
            #expect(entry.meaning.hasSuffix("."), "\(entry.code)")
            #expect(!entry.nextStep.hasSuffix("."), "\(entry.code)")
        }
    }
}
