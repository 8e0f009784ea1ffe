public import Bluetooth

/// Reads values one after the other. Its result has the values found: absent and protected ones are missing.
public struct ValuesDialogue: Dialogue {
    public typealias Ending = [Characteristic: [UInt8]]
    public typealias Notice = Never
    /// It never fails: refusals are skipped.
    public typealias Failure = Never

    private let sources: [Characteristic]
    private var place = 0
    private var values: Ending = [:]

    public init(of sources: [Characteristic]) { self.sources = sources }

    /// Starts with the first value again: values read over an earlier link may have changed.
    public mutating func begin(on link: LinkFacts) -> DialogueStep<Ending, Never> {
        (place, values) = (0, [:])
        return step
    }

    public mutating func note(_ times: CommandTimes) {}

    public mutating func advance(after outcome: DialogueOutcome) -> DialogueStep<Ending, Never> {
        if case .value(let value) = outcome { values[sources[place]] = value }
        place += 1
        return step
    }

    private var step: DialogueStep<Ending, Never> {
        DialogueStep(place < sources.count ? .readIfAllowed(sources[place]) : .end(values))
    }
}
