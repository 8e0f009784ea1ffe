import ArgumentParser
import BeaconCommands

@main enum Main {
    @MainActor static func main() async {
        BeaconDFU.reportCrashes()
        BeaconDFU.adjustPrivileges()
        await BeaconDFU.main()
    }
}
