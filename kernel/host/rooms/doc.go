// Package rooms links what a host of metalab has beside sessions and runs: the algorithms, with
// -tags cuda those on GPUs, and the rooms, packages of verbs that the host itself knows nothing of.
// Programs that become a host import it for that:
//
//	import _ "metalab/kernel/host/rooms"
package rooms

import (
	_ "metalab/kernel/host/machines" // workers, worker, over=
	_ "metalab/kernel/host/papers"   // bench, paper, glance, claim
)
