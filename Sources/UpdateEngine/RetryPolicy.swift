import Bluetooth
import Logging
package import UpdateModel

/// How often and how long to search again after a lost link, and the pauses in between (`Backoff`).
public struct RetryPolicy: Equatable, Sendable {
    /// Consecutive lost links without a newly accepted byte, after which the update fails.
    public var fruitlessLinks: Int
    /// How long to wait until a device is heard again.
    public var search: Duration
    /// The shortest scan before the first link, for other devices whose addresses could be confused with the unit's.
    public var survey = Duration.seconds(1)
    /// How often an application is told to start its bootloader, at most.
    public var entries = 3
    /// The time limit of a single attempt to connect.
    public var connect = Duration.seconds(10)
    /// The time limit for the MTU exchange and service discovery together. Each request has its own limit, but the
    /// device determines the number of requests.
    public var discoveryLimit = Duration.seconds(30)
    /// The first pause before another attempt; it doubles up to `longestPause`.
    public var firstPause = Duration.milliseconds(500)
    public var longestPause = Duration.seconds(4)
    /// Whether a bootloader may be taken for the unit's because it is the only new one, if the application has a public
    /// address and neither name nor address identifies it. False while several units enter their bootloaders at a time.
    package var takesOnlyNewcomer = false
    /// Priority of the first connection among those waiting for the same adapter, highest first; later ones have 0.
    package var priority = 0
    /// The user's choices for links and bootloaders.
    package private(set) var choices = TransferOptions()

    /// A policy for a bench: five fruitless links, a search of 30 s (a bootloader may be slow to start), 10 s to
    /// connect, a scan of one second, three entries, pauses of 0.5 to 4 s (nordic-secure.md, Seen in the wild).
    public init(fruitlessLinks: Int = 5, search: Duration = .seconds(30)) {
        (self.fruitlessLinks, self.search) = (fruitlessLinks, search)
    }

    package mutating func adopt(_ choices: TransferOptions) {
        self.choices = choices
        connect = choices.connectTimeout ?? connect
        // A request and its answer take two intervals, and discovery has about ten requests; the limit is twice that.
        if let interval = choices.interval { discoveryLimit = max(discoveryLimit, interval * 40) }
    }

    /// How long to look for a bootloader after the entry.
    var bootloaderSearch: Duration { choices.bootloaderTimeout ?? search }

    func linkRequest(priority: Int = 0) -> LinkRequest {
        var request = LinkRequest(priority: priority)
        if let interval = choices.interval { request.choose(interval) }
        request.isLimitChosen = choices.connectTimeout != nil
        return request
    }

    func pause(after failures: Int) -> Duration {
        Backoff(first: firstPause, longest: longestPause).pause(after: failures)
    }
}
