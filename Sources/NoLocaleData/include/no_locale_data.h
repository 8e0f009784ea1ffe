// Declares nothing: the linker finds the definitions of this target. See docs/decisions/0051-build-and-size.md.
#pragma once
