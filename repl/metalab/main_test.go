package main

import (
	"slices"
	"strings"
	"testing"
)

// TestUsage tells of every command but those that only the program itself asks for, and of none
// that there is not.
func TestUsage(t *testing.T) {
	t.Parallel()
	var told []string
	for line := range strings.Lines(usage) {
		if rest, ok := strings.CutPrefix(line, "  metalab "); ok && rest[0] != ' ' {
			told = append(told, strings.Fields(rest)[0])
		}
	}
	all := slices.Clone(released)
	for name := range commands {
		all = append(all, name)
	}
	all = slices.DeleteFunc(all, func(name string) bool { return name == "host" || name == "guard" })
	slices.Sort(all)
	slices.Sort(told)
	if !slices.Equal(all, told) {
		t.Errorf("the usage tells of %v, there are %v", told, all)
	}
}
