/// What a KBeacon keeps records of, as far as their form is public (kbeacon.md, Records).
public enum KBeaconRecordKind: UInt8, CaseIterable, Sendable {
    /// Temperature and humidity.
    case humidity = 0x02
    /// What closes and opens: doors, for example.
    case alarm = 0x08
    /// Movement of warm bodies.
    case pir = 0x10
    /// How bright it is.
    case light = 0x20
    /// Volatile organic compounds and nitrogen oxides.
    case voc = 0x40
    /// Carbon dioxide, with temperature and humidity.
    case carbonDioxide = 0x41

    /// Asks how many records there are.
    var questionForSummary: [UInt8] { [0x01, rawValue] }
}
