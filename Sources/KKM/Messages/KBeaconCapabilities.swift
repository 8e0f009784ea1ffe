/// A KBeacon's capabilities: the set of bits `bCap` (kbeacon.md, Capabilities).
package struct KBeaconCapabilities: Equatable, Sendable {
    package let bits: UInt32
    private let generation: KBeaconGeneration

    /// The set of `bits`, in the numbering of `generation`; bits above 31 are dropped.
    init(_ bits: Int, _ generation: KBeaconGeneration) {
        (self.bits, self.generation) = (UInt32(truncatingIfNeeded: bits), generation)
    }

    package var beeps: Bool { has(1) }
    /// Whether the beacon reports that it supports updates over the air, which only the second generation does.
    package var takesUpdates: Bool { generation == .second && has(19) }

    private static let common = [0: "button", 1: "beeper", 2: "acceleration", 3: "temperature and humidity"]
    private static let first = [4: "enhanced proximity", 5: "distance measurement"]
    private static let second = [
        4: "cut-off", 5: "motion (PIR)", 6: "light", 7: "VOC", 17: "long range", 18: "extended advertising",
        19: "updates over the air", 20: "records", 21: "channel mask", 24: "CO2", 25: "location",
        26: "scanning", 27: "NFC",
    ]

    package var names: [String] {
        let known = Self.common.merging(generation == .first ? Self.first : Self.second) { $1 }
        return known.sorted { $0.key < $1.key }.filter { has($0.key) }.map(\.value)
    }

    private static let firstAdverts = [
        "kkm-sensor", "eddystone-uid", "ibeacon", "eddystone-tlm", "eddystone-url",
    ]
    private static let secondAdverts = [
        "kkm-sensor", "eddystone-uid", "eddystone-tlm", "eddystone-url", "ibeacon", "kkm-system", "kkm-aoa",
        "kkm-ebeacon",
    ]

    /// The kinds of frames that it can send, with the names of received frames, in the order of the bits.
    package var adverts: [String] {
        let kinds = generation == .first ? Self.firstAdverts : Self.secondAdverts
        return kinds.indices.filter { has(8 + $0) }.map { kinds[$0] }
    }

    private func has(_ bit: Int) -> Bool { bits >> bit & 1 == 1 }
}
