import Tray

extension PageUnit {
    /// Applies an event of the unit.
    mutating func take(_ event: RunEvent) {
        switch event.name {
        case "found":
            address = event["device"] ?? address
            (name, identifier, model) = (event["name"], event["id"], event["model"])
        case "attempt":
            begin(attempt: event.integer("attempt") ?? attempts + 1)
            (adapter, address) = (event["adapter"], event["device"] ?? address)
        case "started":
            (versionBefore, version) = (event["version_from"], event["version_to"])
        case "phase":
            wake()
            phase = event["name"]
            if phase != "transferring" { (bytesPerSecond, secondsLeft) = (nil, nil) }
        case "progress": progress(event)
        case "stalled":
            (status, bytesPerSecond, secondsLeft) = (.stalled, nil, nil)
        case "connected", "resumed", "retry": wake()
        case "disconnected": (bytesPerSecond, secondsLeft) = (nil, nil)
        case "attempted": attempted(event)
        case "finished", "failed": end(event)
        default: break
        }
    }

    private mutating func begin(attempt: Int) {
        outcomeBefore = settled
        (attempts, status, phase) = (attempt, .running, "connecting")
        (share, bytesPerSecond, secondsLeft) = (nil, nil, nil)
        (code, cause, nextStep, stateWords) = (nil, nil, nil, nil)
    }

    /// The unit has made progress.
    private mutating func wake() { if status == .stalled { status = .running } }

    private mutating func progress(_ event: RunEvent) {
        guard let sent = event.number("sent"), let total = event.number("total"), total > 0 else { return }
        let before = share
        share = max(0, min(1, sent / total))
        if share != before { wake() }
        bytesPerSecond = event.number("bytes_per_second").map { max(0, $0) }
        secondsLeft = bytesPerSecond.flatMap { $0 > 0 ? min(1e6, max(0, total - sent) / $0) : nil }
    }

    private mutating func attempted(_ event: RunEvent) {
        (status, phase, bytesPerSecond, secondsLeft) = (.waiting, nil, nil, nil)
        attempts = event.integer("attempt") ?? attempts
        code = event["code"]
        if passedFirst == nil, let outcome = event["outcome"].flatMap(Outcome.init), outcome.isOfUnit {
            passedFirst = outcome == .passed
        }
    }

    private mutating func end(_ event: RunEvent) {
        guard let outcome = event["outcome"].flatMap(Outcome.init) else { return }
        (status, phase, bytesPerSecond, secondsLeft) = (UnitStatus(outcome), nil, nil, nil)
        attempts = event.integer("attempts") ?? attempts
        address = event["device"] ?? address
        versionBefore = event["version_from"] ?? versionBefore
        version = event["version"]
        (code, cause, nextStep) = (event["code"], event["message"], event["next_step"])
        stateWords = event.members["device_state"]?["message"]?.text.map {
            String($0.prefix(RunEvent.mostCharacters))
        }
        if outcome == .passed { share = 1 }
        if passedFirst == nil, outcome.isOfUnit { passedFirst = outcome == .passed }
    }
}
