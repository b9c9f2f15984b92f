package site

import (
	"net/url"
	"regexp"
	"strings"

	"metalab/kernel/browser/prompt"
	"metalab/kernel/words"
)

var (
	// A block of code, with what stands behind its language.
	labFence = regexp.MustCompile("(?ms)^```([a-z]*)([^\n]*)\n(.*?)^```[ \t]*$")
	// A file that a block is, for the lines of other blocks.
	fileOf = regexp.MustCompile(`\bfile=(\S+)`)
)

// prompted has each block of lines of the prompt in a page say what it opens in a prompt of a page:
// its lines, with those before it where it opens nothing itself. A block that a page cannot carry
// out opens nothing: it needs a file, a GPU or a verb that pages lack.
func prompted(text string) string {
	var files []string
	for _, m := range labFence.FindAllStringSubmatch(text, -1) {
		if f := fileOf.FindStringSubmatch(m[2]); f != nil {
			files = append(files, f[1])
		}
	}
	before := ""
	return labFence.ReplaceAllStringFunc(text, func(block string) string {
		m := labFence.FindStringSubmatch(block)
		if m[1] != "lab" {
			return block
		}
		lines := m[3]
		if !opens(lines) {
			lines = before + lines
		}
		to := ""
		if strings.TrimSpace(m[2]) == "" && inPage(lines, files) {
			to = strings.ReplaceAll(url.QueryEscape(strings.TrimRight(lines, "\n")), "+", "%20")
			before = lines
		}
		return "```lab {to=\"" + to + "\"}\n" + m[3] + "```"
	})
}

// verbs are the first words of lines.
func verbs(lines string) (out []string) {
	for _, l := range words.Lines(lines) {
		if len(l.Tokens) > 0 {
			out = append(out, l.Tokens[0].Text)
		}
	}
	return out
}

// opens reports whether the first line makes a run, so that nothing must stand before it.
func opens(lines string) bool {
	vs := verbs(lines)
	return len(vs) > 0 && (vs[0] == "open" || vs[0] == "solve" || vs[0] == "help" ||
		vs[0] == "instances" || vs[0] == "solvers")
}

// inPage reports whether a prompt in a page can carry lines out: they begin with what makes a run,
// and need neither files nor verbs that it lacks.
func inPage(lines string, files []string) bool {
	if !opens(lines) {
		return false
	}
	for _, v := range verbs(lines) {
		if prompt.Lacks(v) != "" {
			return false
		}
	}
	for _, f := range files {
		if strings.Contains(lines, f) {
			return false
		}
	}
	return !strings.Contains(lines, "cuda") && !strings.Contains(lines, "start=")
}
