/// What a KBeacon keeps records of (kbeacon.md, Records).
public enum KBeaconRecordKind: UInt8, CaseIterable, Sendable {
    /// Temperature and humidity.
    case humidity = 0x02
    /// What closes and opens: doors, for example.
    case alarm = 0x08
    /// Movement of warm bodies.
    case pir = 0x10

    /// How long a record is, in bytes.
    var recordLength: Int { self == .humidity ? 8 : 5 }

    /// Asks how many records there are.
    var questionForSummary: [UInt8] { [0x01, rawValue] }
}
