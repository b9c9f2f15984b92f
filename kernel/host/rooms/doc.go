// Package rooms links what a host of metalab has beside sessions and runs: the algorithms, with
// -tags cuda those on GPUs, and the rooms, packages of verbs that the host itself knows nothing of.
// Programs that become a host import it for that:
//
//	import _ "metalab/kernel/host/rooms"
package rooms

import (
	_ "metalab/kernel/host/experiments"   // experiment, sweep, tune, chart
	_ "metalab/kernel/host/export"        // export
	_ "metalab/kernel/host/export/replay" // pages that replay
	_ "metalab/kernel/host/machines"      // workers, worker, over=
	_ "metalab/kernel/host/pages"         // dashboard, pages in cells
	_ "metalab/kernel/host/rooms/core"    // the algorithms, and rooms that bring no large package
)
