package prompt

import (
	"regexp"
	"strings"
)

// openable has, for instances of examples that a page would have to fetch, others that it makes.
var openable = map[string]string{"pr1002": "E1k.0", "pr2392": "E3k.0", "d198": "rand-200-7"}

// example matches a name where an example opens it; elsewhere it is what something was measured on.
var example = regexp.MustCompile(
	`(\bopen \S+ |\bsolve |\binstance |\binstances=|\bLoad\(")(pr1002|pr2392|d198)\b`)

// exampled is help or an error with examples of what can be opened in a page; what the line itself
// names stays.
func exampled(text, line string) string {
	text = example.ReplaceAllStringFunc(text, func(all string) string {
		m := example.FindStringSubmatch(all)
		if strings.Contains(line, m[2]) {
			return all
		}
		return m[1] + openable[m[2]]
	})
	return written.ReplaceAllString(text, "$1$2 to $1.tour")
}

// written matches a file of an example that has the name of an instance.
var written = regexp.MustCompile(`\b(E1k\.0|E3k\.0|rand-200-7)(.*?) to (pr1002|pr2392|d198)\.tour`)
