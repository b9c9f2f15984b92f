package datasets_test

import (
	"bytes"
	"crypto/md5"
	"encoding/hex"
	"os"
	"strconv"
	"strings"
	"testing"

	"metalab/datasets"
)

// gsetRows returns the lines of the table, and the rows among them.
func gsetRows(t *testing.T) (lines []string, rows [][]string) {
	t.Helper()
	text, err := os.ReadFile("gset.tsv")
	if err != nil {
		t.Fatal(err)
	}
	lines = strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	for _, line := range lines {
		if !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "source\t") {
			rows = append(rows, strings.Split(line, "\t"))
		}
	}
	return lines, rows
}

// All 71 graphs are the published files, byte for byte, and have the hashes and values of the
// table.
func TestGSetTable(t *testing.T) {
	t.Parallel()
	lines, rows := gsetRows(t)
	if len(rows) != 71 {
		t.Errorf("%d rows, want 71", len(rows))
	}
	for _, row := range rows {
		c, ok := generate(t, row[0]).(*datasets.Cut)
		if !ok {
			t.Fatalf("%s is no cut", row[0])
		}
		var file bytes.Buffer
		if err := datasets.WriteRudy(&file, c); err != nil {
			t.Fatal(err)
		}
		if sum := md5.Sum(file.Bytes()); hex.EncodeToString(sum[:]) != row[4] {
			t.Errorf("%s has the MD5 %x, want %s", row[0], sum, row[4])
		}
		if *update {
			for i, line := range lines {
				if strings.HasPrefix(line, row[0]+"\t") {
					lines[i] = strings.Join(append(row[:5:5], c.SHA256()), "\t")
				}
			}
			continue
		}
		best, ok := c.BestKnown()
		if !ok || strconv.FormatFloat(-best.Value, 'f', -1, 64) != row[1] || best.Source == "" ||
			best.Proven != (row[2] == "optimal") || c.SHA256() != row[5] {
			t.Errorf("%s: best %+v (%v), hash %s, want %q", row[0], best, ok, c.SHA256(), row)
		}
	}
	if *update {
		text := strings.Join(lines, "\n") + "\n"
		if err := os.WriteFile("gset.tsv", []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// Numbers between those of the set are refused in words.
func TestNotInTheGSet(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"G0", "G68", "G69", "G71", "G73", "G80"} {
		_, ok, err := datasets.Generate(name)
		if !ok || err == nil || !strings.Contains(err.Error(), "not in the set") {
			t.Errorf("%s: %v, %v", name, ok, err)
		}
	}
	for _, name := range []string{"G01", "G", "G1x", "G82", "GR17"} {
		if _, ok, err := datasets.Generate(name); ok {
			t.Errorf("%s is made (%v)", name, err)
		}
	}
}
