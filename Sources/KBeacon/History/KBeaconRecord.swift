import ByteCoding

/// One thing that a KBeacon has recorded.
public struct KBeaconRecord: Equatable, Sendable {
    /// What was found.
    public enum Content: Equatable, Sendable {
        /// In degrees Celsius and in percent.
        case climate(temperature: Double, humidity: Double)
        /// A state, as the beacon numbers it.
        case state(UInt8)
    }

    /// When, in seconds: see ``KBeaconRecordClock``.
    public let time: UInt32
    /// What.
    public let content: Content

    /// Reads one of `kind`; all numbers are big-endian.
    ///
    ///     0  4  time
    ///     4  2  temperature, signed, in 1/256 °C; or of other kinds a byte with the state, and no more
    ///     6  2  humidity, signed, in 1/256 %
    init(parsing reader: inout ByteReader, of kind: KBeaconRecordKind) throws(ByteError) {
        time = try reader.integer("time", .big)
        switch kind {
        case .humidity:
            content = .climate(
                temperature: try Self.fixedPoint("temperature", &reader),
                humidity: try Self.fixedPoint("humidity", &reader))
        case .alarm, .pir: content = .state(try reader.integer("state"))
        }
    }

    private static func fixedPoint(_ field: StaticString, _ reader: inout ByteReader) throws(ByteError)
        -> Double
    {
        Double(Int16(bitPattern: try reader.integer(field, .big))) / 256
    }
}
