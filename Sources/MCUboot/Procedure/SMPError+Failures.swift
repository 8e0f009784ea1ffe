import UpdateModel

/// What the errors of a server mean for an update (docs/protocols/mcuboot-smp.md, Errors). Version 1 has only
/// the general numbers, each of which corresponds to several numbers of the image group.
extension SMPError {
    /// The group of image management.
    static let images = 1

    private func isAny(general: Set<Int> = [], image: Set<Int> = []) -> Bool {
        switch group {
        case nil: general.contains(code)
        case Self.images: image.contains(code)
        default: false
        }
    }

    var isUnsupported: Bool { isAny(general: [8]) }
    var isCorrupt: Bool { isAny(general: [9]) }
    var isBusy: Bool { isAny(general: [10]) }
    var isShortOfMemory: Bool { isAny(general: [2], image: [15]) }
    /// The slot is in use or marked.
    var isOccupied: Bool { isAny(general: [6], image: [9, 28]) }
    /// The server does not let this image be confirmed by a request.
    var isDenied: Bool { isAny(general: [1], image: [32]) }
    var isFlash: Bool { isAny(general: [1], image: [2, 10, 11, 12, 13, 16, 17, 18]) }

    var failureCode: FailureCode {
        switch (group, code) {
        case (nil, 8): .session.notSupported
        case (nil, 10): .session.beaconBusy
        case (nil, 11): .smp.accessDenied
        case (Self.images, 3...8): .smp.imageNotKept
        case (Self.images, 22): .smp.packetsTooSmall
        case (Self.images, 23): .smp.notMCUbootImage
        case (Self.images, 25): .smp.wrongSlot
        case (Self.images, 27): .device.firmwareVersionTooLow
        case (Self.images, 30): .device.insufficientSpace
        case _ where isOccupied: .smp.noFreeSlot
        case _ where isFlash: .smp.flashFailed
        default: .smp.requestRefused
        }
    }

    var words: String {
        let name = group.map { "error \(code) of group \($0)" } ?? "error \(code)"
        let own = (reason ?? "").printable(atMost: 80)
        return own.isEmpty ? name : "\(name): \(own)"
    }
}

extension SMPUpdate {
    /// A failure of the step in progress.
    func failure(
        _ code: FailureCode, _ message: String, remedy: Advice? = nil, mayReconnect: Bool = false
    ) -> UpdateFailure {
        UpdateFailure(code, during: during, message: message, remedy: remedy, mayReconnect: mayReconnect)
    }

    func refusal(of what: String, _ error: SMPError) -> UpdateFailure {
        failure(error.failureCode, "the beacon refuses \(what) with \(error.words)")
    }
}

extension UpdateFailure {
    static func uploading(
        _ code: FailureCode, _ message: String, mayReconnect: Bool = false
    ) -> UpdateFailure {
        UpdateFailure(code, during: "uploading", message: message, mayReconnect: mayReconnect)
    }
}
