import UpdateModel

/// Images that an image needs (docs/protocols/mcuboot-smp.md, Dependencies). A bootloader for several images checks at
/// every start that they are there, before it installs any image; a bootloader for a single image never does.
extension SMPUpdate {
    /// Refuses an image that needs another one which the beacon will not have after its restart: its
    /// bootloader would leave all images as they are.
    func checkDependencies() throws(UpdateFailure) {
        let isUnmet = parts.contains { part in
            !runs(part)
                && part.upload.dependencies.contains {
                    if case .unmet = state(of: $0) { true } else { false }
                }
        }
        guard isUnmet else { return }
        throw .preparing(.smp.dependencyUnmet, missing.joined(separator: "; "))
    }

    var dependencyNotices: [UpdateNotice] { missing.map { .warning(.smp.dependencyOpen, $0) } }

    /// `failure`, of a restart that has installed nothing, with the images that may be missing.
    func addingMissingImages(to failure: UpdateFailure) -> UpdateFailure {
        guard !missing.isEmpty else { return failure }
        return UpdateFailure(
            failure.code, during: failure.during,
            message: "\(failure.message); probably because \(missing.joined(separator: " and "))",
            remedy:
                "install that other image first, or use a package that has both: the beacon keeps what it "
                + "was sent, and installs it at the restart after which it has all that is needed",
            mayReconnect: failure.mayReconnect)
    }

    /// In words, the needed images that the beacon does not have, or does not report.
    var missing: [String] {
        parts.filter { !runs($0) }.flatMap { part in
            part.upload.dependencies.compactMap { needed in
                let words = "the \(part.upload.title) needs \(needed.words)"
                return switch state(of: needed) {
                case .met: nil
                case .unmet(let other): "\(words), \(other)"
                case .open: "\(words), and the beacon does not report whether it has that"
                }
            }
        }
    }

    private enum Dependency {
        case met
        /// The text says what there is instead.
        case unmet(String)
        /// The beacon does not report whether it has the image.
        case open
    }

    private func state(of needed: ImageDependency) -> Dependency {
        if let other = parts.first(where: { $0.upload.image == needed.image }) {
            return verdict(other.upload.version, for: needed, "this update has \(other.upload.version)")
        }
        if let slot = next(needed.image) {
            guard let version = ImageVersion(slot.version) else { return .open }
            return verdict(version, for: needed, "the beacon has \(version)")
        }
        // A firmware for one image reports only that one, even if its bootloader installs others.
        if let images = facts.images, images.count > 1, !images.contains(needed.image) {
            return .unmet("the beacon has no such image")
        }
        // Any version is sufficient, and nothing shows that the image is missing.
        return needed.version == ImageVersion(major: 0, minor: 0, revision: 0) ? .met : .open
    }

    private func verdict(
        _ version: ImageVersion, for needed: ImageDependency, _ words: String
    ) -> Dependency {
        version.isBelow(needed.version) ? .unmet(words) : .met
    }

    /// The slot that the next restart starts, for image number `image`, which is not part of the update.
    private func next(_ image: Int) -> SlotState? {
        let current = active(image)
        guard marksImages,
            let other = link.slots.first(where: { $0.image == image && $0.slot != current?.slot })
        else { return current }
        // The other slot starts if its image waits, or if the restart undoes a test.
        let isReverting = current?.isConfirmed == false && other.isConfirmed
        return other.isPending || isReverting ? other : current
    }
}

extension ImageDependency {
    fileprivate var words: String { "image \(image) of version \(version) or later" }
}
