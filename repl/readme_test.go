package main

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"metalab/kernel/words"
)

// readme are the lines for the prompt in README's blocks, in order, with their numbers.
func readme(t *testing.T) (lines []string, at []int) {
	t.Helper()
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	inside, prompt := false, false
	for i, line := range strings.Split(string(text), "\n") {
		switch {
		case strings.HasPrefix(line, "```"):
			inside = !inside
			prompt = line == "```"
		case inside && prompt && line != "watch off" && !strings.HasPrefix(line, "go ") &&
			!strings.HasPrefix(line, "jupyter "):
			lines, at = append(lines, line), append(at, i+1)
		}
	}
	return lines, at
}

var named = regexp.MustCompile(`^(?:open|fork|load|solve|experiment) .* as (\w+)`)

// Who types every line of README in order opens no name twice, and none that is not known.
// (.ci/first types those that need neither the network nor a GPU.)
func TestReadmeInOrder(t *testing.T) {
	t.Parallel()
	lines, at := readme(t)
	if len(lines) < 50 {
		t.Fatalf("README has %d lines for the prompt", len(lines))
	}
	scope := words.Scope{Runs: []string{}, Dir: "/"}
	for i, line := range lines {
		for _, l := range words.Lines(line) {
			one := line[l.From:l.To]
			where := fmt.Sprintf("README.md:%d: %s", at[i], one)
			if _, err := words.Parse(one, scope); err != nil {
				t.Errorf("%s: %v", where, err)
			}
			if m := named.FindStringSubmatch(one); m != nil {
				if slices.Contains(scope.Runs, m[1]) {
					t.Errorf("%s: there is a run %s already", where, m[1])
				}
				scope.Runs = append(scope.Runs, m[1])
			}
			if run := strings.Fields(one); len(run) > 1 && slices.Contains(
				[]string{"step", "go", "set", "plot", "fork", "save", "waves", "pause"}, run[0]) &&
				!slices.Contains(scope.Runs, run[1]) {
				t.Errorf("%s: there is no run %s", where, run[1])
			}
		}
	}
}
