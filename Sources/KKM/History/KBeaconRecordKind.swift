/// The kinds of records of a KBeacon, as far as their format is public (kbeacon.md, Records).
public enum KBeaconRecordKind: UInt8, CaseIterable, Sendable {
    /// Temperature and humidity.
    case humidity = 0x02
    /// Opening and closing, for example of doors.
    case alarm = 0x08
    /// Motion of warm bodies (PIR).
    case pir = 0x10
    /// Light level.
    case light = 0x20
    /// Volatile organic compounds and nitrogen oxides.
    case voc = 0x40
    /// Carbon dioxide, with temperature and humidity.
    case carbonDioxide = 0x41

    /// The query for the number of records.
    var questionForSummary: [UInt8] { [0x01, rawValue] }
}
