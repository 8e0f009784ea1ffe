import BeaconCommands
import StationCommands

@main enum Main {
    @MainActor static func main() async {
        BeaconDFU.prepare(BeaconDFUStation.self)
        await BeaconDFU.main()
    }
}
