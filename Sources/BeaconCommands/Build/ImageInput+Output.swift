import ArgumentParser
import Glibc

extension ImageInput {
    /// Refuses to write over the firmware that is packed.
    func keep(from output: String) throws(ValidationError) {
        var (own, other) = (stat(), stat())
        guard stat(path, &own) == 0, stat(output, &other) == 0 else { return }
        guard own.st_dev != other.st_dev || own.st_ino != other.st_ino else {
            throw ValidationError("\(output) is the firmware itself; give another file to write")
        }
    }
}
