public import BluetoothTypes

/// Reads values one after the other. Its ending has those that there are: what a device does not have, or keeps for
/// itself, is not among them.
public struct ValuesDialogue: Dialogue {
    /// The values that were read.
    public typealias Ending = [Characteristic: [UInt8]]
    /// It says nothing on its way.
    public typealias Notice = Never
    /// It goes on whatever is refused.
    public typealias Failure = Never

    private let sources: [Characteristic]
    private var place = 0
    private var values: Ending = [:]

    /// Reads the values of `sources`.
    public init(of sources: [Characteristic]) { self.sources = sources }

    /// Begins with the first value again: what was read over an earlier link may have changed.
    public mutating func begin(on link: LinkFacts) -> DialogueStep<Ending, Never> {
        (place, values) = (0, [:])
        return step
    }

    /// Time does not matter.
    public mutating func note(_ times: CommandTimes) {}

    /// The next value.
    public mutating func advance(after outcome: DialogueOutcome) -> DialogueStep<Ending, Never> {
        if case .value(let value) = outcome { values[sources[place]] = value }
        place += 1
        return step
    }

    private var step: DialogueStep<Ending, Never> {
        DialogueStep(place < sources.count ? .readIfAllowed(sources[place]) : .end(values))
    }
}
