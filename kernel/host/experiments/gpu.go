package experiments

import (
	"fmt"

	"metalab/kernel/host"

	"metalab/gpu"
	"metalab/kernel/wire"
	"metalab/solvers/experiment"
)

// device names a GPU in results.
func device(number int) string {
	list, err := gpu.Devices()
	if err != nil || number < 0 || number >= len(list) {
		return fmt.Sprintf("GPU %d", number)
	}
	return fmt.Sprintf("GPU %d: %s", number, list[number].Name)
}

// gpuNumbers are the numbers of the GPUs that make units, or why there are none.
func gpuNumbers() ([]int, error) {
	if err := gpu.Available(); err != nil {
		return nil, err
	}
	list, err := gpu.Devices()
	out := make([]int, len(list))
	for i := range out {
		out[i] = i
	}
	return out, err
}

// lostGPU receives the errors of units. After one that makes a GPU unusable in this process the
// host restarts, if it can, and the next process continues.
func (h *room) lostGPU(err error) bool {
	h.IfLost(err)
	return host.Sticky(err)
}

// waiting says how many units wait for a GPU, and why; empty where none do.
func waiting(groups []*experiment.Group) string {
	left := 0
	for _, g := range groups {
		if g.Backend != "cpu" {
			left += g.Left
		}
	}
	if left == 0 {
		return ""
	}
	_, err := gpuNumbers()
	if err == nil {
		return ""
	}
	return fmt.Sprintf("%s for a GPU: %s", units(left, "waits", "wait"), host.FirstLine(err.Error()))
}

func units(n int, one, many string) string {
	if n == 1 {
		return "1 unit " + one
	}
	return fmt.Sprintf("%d units %s", n, many)
}

// A savedStudy describes an experiment that was running in the background when the host restarted.
type savedStudy struct {
	Name string            `json:"name"`
	Tune *wire.TuneRequest `json:"tune,omitempty"` // nil: its units run
	Over string            `json:"over,omitempty"`
}

func (h *room) park(x savedStudy) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.parked = append(h.parked, x)
}

// resumeStudy goes on with what the process before made in the background.
func (h *room) resumeStudy(c *host.Call, s savedStudy) error {
	var err error
	if s.Tune != nil {
		_, err = h.tune(c, s.Tune)
	} else {
		_, err = h.experiment(c, &wire.ExperimentRequest{
			Name: s.Name, Do: "go", Background: true,
			Over: s.Over,
		})
	}
	return err
}
