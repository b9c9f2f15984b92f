package cells

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

var lacking = regexp.MustCompile(
	`(?:no required module provides package|missing go\.sum entry for module providing package|` +
		`cannot find module providing package) ([^\s;:()]+)`)

// Missing are the packages of modules that are not there, by what the compiler says. A path whose
// first part has no dot is of no module that can be fetched.
func Missing(text string) []string {
	var out []string
	for _, m := range lacking.FindAllStringSubmatch(text, -1) {
		first, _, _ := strings.Cut(m[1], "/")
		if strings.Contains(first, ".") && !slices.Contains(out, m[1]) {
			out = append(out, m[1])
		}
	}
	return out
}

// Fetching says that packages are fetched.
func Fetching(packages []string) string {
	return "go get " + strings.Join(packages, " ") + ": the module is not there yet, and is fetched\n"
}

// NotFetched says that packages could not be fetched: why, by the last that go get has said, and
// what to do.
func NotFetched(packages []string, said string) string {
	why := "it was stopped"
	for l := range strings.Lines(said) {
		if l = strings.TrimSpace(l); l != "" && !strings.HasPrefix(l, "go: downloading ") {
			why = strings.TrimPrefix(l, "go: ")
		}
	}
	return "the module of " + strings.Join(packages, ", ") + " is not there, and go get could not " +
		"fetch it: " + why + "; in a line of its own !*go get MODULE@VERSION fetches another"
}

// gets is a command that fetches a module, as one types it in a folder of a module.
var gets = regexp.MustCompile(`^!\s*go\s+get\b`)

// inModule makes a command that fetches a module work in the module of the cells, where the
// notebook's own folder is in none.
func inModule(line string) string {
	if !gets.MatchString(line) || ownModule() {
		return line
	}
	return "!*" + strings.TrimSpace(line[1:])
}

// ownModule reports whether this process works in a folder of a module.
func ownModule() bool {
	dir, err := os.Getwd()
	for err == nil {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return true
		}
		up := filepath.Dir(dir)
		if up == dir {
			break
		}
		dir = up
	}
	return false
}
