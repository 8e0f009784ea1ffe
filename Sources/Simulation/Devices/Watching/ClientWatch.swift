/// The state of one observer of a beacon.
struct ClientWatch: Sendable {
    let tell: @Sendable (ClientAct) -> Void
    /// The number of the device's broken rules that were reported.
    var rulesTold: Int
    /// The accepted bytes of an image; repeated bytes replace earlier ones.
    private(set) var image: [UInt8] = []
    private var hasCompleted = false

    init(tell: @escaping @Sendable (ClientAct) -> Void, rulesTold: Int) {
        self.tell = tell
        self.rulesTold = rulesTold
    }

    /// Records `bytes`, which changed the number of accepted bytes from `before` to `after`.
    mutating func note(_ bytes: [UInt8], accepted before: Int, _ after: Int) {
        guard before <= image.count else { return image = [] }  // the beginning was not observed
        image.removeSubrange(before...)
        if after > before { image += bytes.prefix(after - before) }
    }

    /// Records the current `update`; returns it unless it was reported before.
    mutating func completion(_ update: CompletedUpdate?) -> CompletedUpdate? {
        guard var update else {
            hasCompleted = false
            return nil
        }
        guard !hasCompleted else { return nil }
        hasCompleted = true
        let end = update.start + update.held.count
        if update.sent != nil { return update }
        update.sent = image.count >= end ? Array(image[update.start..<end]) : nil
        return update
    }
}
