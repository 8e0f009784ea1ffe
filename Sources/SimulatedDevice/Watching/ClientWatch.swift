/// What is remembered for whoever watches a beacon.
struct ClientWatch: Sendable {
    let tell: @Sendable (ClientAct) -> Void
    /// How many of the device's broken rules were told.
    var rulesTold: Int
    /// Bytes of an image as they were accepted; a byte that came again counts as it came last.
    private(set) var image: [UInt8] = []
    private var hasCompleted = false

    init(tell: @escaping @Sendable (ClientAct) -> Void, rulesTold: Int) {
        self.tell = tell
        self.rulesTold = rulesTold
    }

    /// `bytes` came, by which what is accepted went from `before` to `after`.
    mutating func note(_ bytes: [UInt8], accepted before: Int, _ after: Int) {
        guard before <= image.count else { return image = [] }  // somebody else has sent the beginning
        image.removeSubrange(before...)
        if after > before { image += bytes.prefix(after - before) }
    }

    /// `update` has arrived; nil where it was told of before, or where there is none.
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
