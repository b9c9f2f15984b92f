//go:build cuda

package moves

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"metalab/solvers/bench"
)

// TestTables measures rows of tables, as METALAB_TABLES says, and prints them as the verb bench
// does with -json, so that the command keep of solvers/bench can read them. It names tables with
// words of rows, as "luong-2:tai30a H200;luong-3:H200:host", the second without rows whose names
// contain host; they are measured one after the other and printed as soon as they are.
func TestTables(t *testing.T) {
	list := os.Getenv("METALAB_TABLES")
	if list == "" {
		t.Skip("METALAB_TABLES is not set")
	}
	for _, item := range strings.Split(list, ";") {
		name, words, _ := strings.Cut(item, ":")
		words, without, _ := strings.Cut(words, ":")
		table, err := bench.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		rows, err := bench.List(table, words)
		if err != nil {
			t.Error(err)
			continue
		}
		for _, r := range rows {
			if r.Row.Not == "" && (without == "" || !strings.Contains(r.Row.What, without)) {
				measure(t, table, r.Number)
			}
		}
	}
}

// measure measures a row and prints it.
func measure(t *testing.T, table bench.Table, number int) {
	out, err := bench.Run(t.Context(), table, bench.Options{Rows: fmt.Sprint(number)})
	if err != nil || len(out) == 0 || out[0].Err != nil {
		t.Errorf("row %d of %s: %v %+v", number, table.Name, err, out)
		return
	}
	o := out[0]
	values := make([]any, len(o.Values))
	for i, v := range o.Values {
		if values[i] = v; math.IsNaN(v) || math.IsInf(v, 0) {
			values[i] = nil
		}
	}
	line, err := json.Marshal(map[string]any{
		"verb": "bench", "table": map[string]any{"name": table.Name}, "go": runtime.Version(),
		"machine": os.Getenv("METALAB_MACHINE"), "date": time.Now().UTC().Format(time.DateOnly),
		"rows": []any{map[string]any{
			"what": o.Row.What, "instance": o.Row.Instance, "settings": o.Row.Settings(),
			"revision": o.Row.Revision(), "seeds": o.Seeds, "values": values,
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	fmt.Println(string(line))
}
