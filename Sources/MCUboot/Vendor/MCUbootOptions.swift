package import Bytes
import UpdateModel

package struct MCUbootOptions: VendorOptions {
    package var key: SignatureKey?

    package init() {}
}
