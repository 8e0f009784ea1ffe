import Tray

/// Bytes of a tray file with these lines after its version.
func trayBytes(_ lines: String) -> [UInt8] { Array("tray: 1\n\(lines)\n".utf8) }

/// The tray of these lines after its version.
func tray(_ lines: String) throws -> TrayFile { try TrayFile(parsing: trayBytes(lines)) }
