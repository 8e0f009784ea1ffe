import KKM
import Simulation

extension KBeaconColumn {
    /// Both generations, and one with all other options reversed.
    package static let all: [KBeaconColumn] = {
        var reporting = KBeaconDescription(.second)
        reporting.buttonlessNeedsSession = true
        reporting.answers.shape = .report
        reporting.answers.pieceSize = 40
        reporting.handshake.foldsDigests = true
        reporting.handshake.tellsMTU = false
        return [
            KBeaconColumn("KBeacon, first generation", asking: .first, KBeaconDescription(.first)),
            KBeaconColumn("KBeacon, second generation", asking: .second, KBeaconDescription(.second)),
            KBeaconColumn(
                "KBeacon, second generation, in reports, bootloader in a session only", asking: .first,
                reporting),
        ]
    }()
}
