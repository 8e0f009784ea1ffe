import FoundationEssentials

/// Seconds since 1970 as text.
public enum UnixTime {
    /// ISO 8601 in UTC of a number of seconds since 1970.
    public static func text(_ seconds: UInt32) -> String {
        Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
    }
}
