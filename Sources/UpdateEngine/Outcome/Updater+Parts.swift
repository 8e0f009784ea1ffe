import BluetoothTypes
import UpdateCore

extension Updater {
    /// A part is installed, and the application that came up at `heard` is not known for certain to be the unit's: its
    /// bootloader was what was selected.
    func partsLeft(_ part: UpdatePart, _ course: Course, _ heard: DeviceAddress) -> UpdateFailure {
        let before =
            part.number == 2
            ? "part 1 of \(part.count) is installed"
            : "parts 1 to \(part.number - 1) of \(part.count) are installed"
        return UpdateFailure(
            .partsLeft, during: "looking for the bootloader",
            message:
                "\(before); then an application started at \(heard), which may be another beacon's, because "
                + "\(course.places.bootloader) was selected: \(part) was not sent",
            remedy:
                "run the same command with --device \(heard) if that is this beacon: the part that it has is passed "
                + "over, and the \(part.title) is sent")
    }
}
