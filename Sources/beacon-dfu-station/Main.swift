import BeaconCommands
import StationCommands

@main enum Main {
    @MainActor static func main() async {
        Program.become(BeaconDFUStation.self)
        BeaconDFU.reportCrashes()
        BeaconDFU.adjustPrivileges()
        await BeaconDFU.main()
    }
}
