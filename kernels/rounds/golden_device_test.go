//go:build cuda

package rounds

import (
	"context"
	"encoding/json"
	"os"
	"testing"

	"metalab/gpu"
)

// The GPU makes the kept runs too. With METALAB_GOLDEN_OUT set it writes them there.
func TestGoldenDevice(t *testing.T) {
	needDevice(t)
	d, err := gpu.Open(context.Background(), 0)
	must(t, err)
	defer d.Close()
	made := map[string]golden{}
	for i, g := range goldens {
		m, cpu := makeGolden(t, i, "cuda"), makeGolden(t, i, "cpu")
		if m.Digest != cpu.Digest || m.Best != cpu.Best || m.Mean != cpu.Mean {
			t.Errorf("%s: the device makes %+v, the CPU %+v", g.name, m, cpu)
		}
		m.Device = d.Info().Name
		made[g.name] = m
	}
	out := os.Getenv("METALAB_GOLDEN_OUT")
	if out == "" || t.Failed() {
		return
	}
	text, err := json.MarshalIndent(made, "", "  ")
	must(t, err)
	must(t, os.WriteFile(out, append(text, '\n'), 0o644))
}
