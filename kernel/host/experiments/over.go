package experiments

import (
	"fmt"
	"strings"

	"metalab/kernel/host"
	"metalab/solvers/experiment"
)

// overs finds what makes units in the place of this process; nil: no room does.
var overs func(stateDir, over string) (experiment.Fabric, error)

// HandleOver makes f what finds who makes the units of experiments with over=, but for local. A
// room calls it when it is linked.
func HandleOver(f func(stateDir, over string) (experiment.Fabric, error)) { overs = f }

// overOf is what makes units; nil: the cores of this machine.
func (h *room) overOf(over string) (experiment.Fabric, error) {
	if over == "" || over == "local" {
		return nil, nil
	}
	if overs == nil {
		return nil, host.Wrong(fmt.Sprintf("over is %s, want local: this program knows no other machines",
			over))
	}
	f, err := overs(h.Options().StateDir, over)
	if err != nil {
		return nil, host.Wrong("over: " + strings.TrimPrefix(err.Error(), "stream: "))
	}
	return f, nil
}
