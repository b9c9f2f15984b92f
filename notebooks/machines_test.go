package notebooks_test

import (
	"strings"
	"testing"
)

// What the notebook about several machines tells is what its file shows.
func TestSeveralMachines(t *testing.T) {
	t.Parallel()
	shown := map[string]string{}
	for _, c := range read(t, "15_several_machines.ipynb") {
		if c.Type == "code" {
			shown[strings.Join(c.Source, "")] = c.text()
		}
	}
	for source, want := range map[string]string{
		`join("cellar")`:            "attic: 1 core\ncellar: 1 core\n",
		`lab.Experiment("here"`:     "the same: true",
		`process("cellar").Kill()`:  "cellar is killed: true",
		`islands many over=embed`:   "iteration 40; made by workers: 2 with attic, 2 with loft",
		`lab.Replay(path)`:          "made again in one process: true",
		`"the same table as here:"`: "the same table as here: true",
		`worker attic stop`:         "workers: 0\nnotes are removed: true",
	} {
		found := false
		for text, out := range shown {
			if strings.Contains(text, source) {
				if found = true; !strings.Contains(out, want) {
					t.Errorf("%s does not show %q but %s", source, want, out)
				}
			}
		}
		if !found {
			t.Errorf("no cell with %s", source)
		}
	}
}
