package all_test

import (
	"os"
	"regexp"
	"testing"

	"metalab/solvers"
	_ "metalab/solvers/all"
)

// A solver that is not linked is told with the package that has it.
func TestNotLinked(t *testing.T) {
	names := map[string]bool{}
	for _, v := range solvers.Variants() {
		names[v.Solver] = true
		solvers.Remove(v.Solver, v.Name, v.Backend)
	}
	if len(names) < 10 {
		t.Errorf("only %v are linked", names)
	}
	said := regexp.MustCompile(`^solver (\w+) is not linked .*_ "metalab/solvers/(\w+)".*` +
		`"metalab/solvers/all"`)
	for name := range names {
		_, err := solvers.Find(name, "", "")
		if err == nil {
			t.Fatalf("%s is there still", name)
		}
		m := said.FindStringSubmatch(err.Error())
		if m == nil || m[1] != name {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if _, err := os.Stat("../" + m[2]); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
