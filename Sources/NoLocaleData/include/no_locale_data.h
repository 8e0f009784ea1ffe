// Nothing is offered: what this target defines is found by the linker. See docs/decisions/0051-size.md.
#pragma once
