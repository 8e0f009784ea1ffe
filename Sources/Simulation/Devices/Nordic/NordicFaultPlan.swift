struct NordicFaultPlan: Sendable {
    private let faults: [NordicFault]
    private var checksums = 0
    private var requests = 0
    private var executes = 0
    private var entries = 0
    private var hasLostPower = false
    private var burst: [Int: Int] = [:]
    private static let burstLength = 6

    init(_ faults: [Fault]) {
        self.faults = faults.distinct.compactMap { if case .nordic(let fault) = $0 { fault } else { nil } }
    }

    func has(_ fault: NordicFault) -> Bool { faults.contains(fault) }

    mutating func ignoresEntry() -> Bool {
        entries += 1
        return has(.ignoreEntry(entries))
    }

    mutating func losesPower(_ bootloader: some Bootloader) -> Bool {
        let progress = bootloader.memory.progress
        guard !hasLostPower, progress.objectSize > 0, progress.received * 2 >= progress.objectSize else {
            return false
        }
        hasLostPower = has(.powerLossInObject(bootloader.statistics.objectsCreated))
        return hasLostPower
    }

    /// Counts a Control Point request; returns the result bytes to answer instead of carrying it out.
    mutating func result(insteadOf request: [UInt8]) -> [UInt8]? {
        requests += 1
        let isExecute = request.first == 0x04
        if isExecute { executes += 1 }
        for case .answerRequest(requests, let result) in faults { return result }
        for case .answerExecute(executes, let result) in faults where isExecute { return result }
        return nil
    }

    var losesAnswer: Bool { has(.loseAnswer(requests)) }

    /// Whether a packet of `count` bytes that begins at `offset` in the image is lost.
    mutating func losesPacket(of count: Int, at offset: Int) -> Bool {
        for case .loseBurst(let byte) in faults where (offset..<offset + count).contains(byte) {
            let lost = burst[byte] ?? 0
            guard lost < Self.burstLength else { continue }
            burst[byte] = lost + 1
            return true
        }
        return false
    }

    mutating func applyFaults(to value: [UInt8]) -> [UInt8] {
        guard value.starts(with: [0x60, 0x03, 0x01]), value.count == 11 else { return value }
        checksums += 1
        guard has(.corruptChecksum(checksums)) else { return value }
        var value = value
        value[7] ^= 0xFF
        return value
    }
}

/// An injected fault of a Nordic beacon. "This" event is the one with the given number, counted from 1 over the
/// beacon's life.
public enum NordicFault: Hashable, Sendable {
    /// The crc in this response `60 03 01` is wrong, whether requested or a PRN.
    case corruptChecksum(Int)
    /// This Control Point request is not carried out, but answered with these result bytes.
    case answerRequest(Int, with: [UInt8])
    /// This Execute is not carried out, but answered with these result bytes.
    case answerExecute(Int, with: [UInt8])
    /// This Control Point request is carried out, but its response is not sent.
    case loseAnswer(Int)
    /// When this byte of the image is due, six packets are lost, whatever their size.
    case loseBurst(atByte: Int)
    /// A short power loss when half of this data object has arrived; objects created again count too.
    case powerLossInObject(Int)
    /// The bond is lost while the bootloader runs.
    case loseBond
    /// Every image is verified, but the old application starts as if there had been no update.
    case keepOldApplication
    /// A new application does not start: the beacon is silent when it should run.
    case deadApplication
    /// The application confirms this request to enter its bootloader, but continues to run.
    case ignoreEntry(Int)
}
