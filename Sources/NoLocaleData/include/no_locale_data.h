// Declares nothing: the linker finds the definitions of this target. See docs/decisions/0051-size.md.
#pragma once
