package datasets

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// unread is a keyword or section of a file that does not enter the instance.
type unread struct {
	Word string
	Line int
}

// uses are the keywords and sections that enter an instance, or say how another is spelt.
var uses = map[string]bool{
	"NAME": true, "TYPE": true, "COMMENT": true, "DIMENSION": true, "EDGE_WEIGHT_TYPE": true,
	"EDGE_WEIGHT_FORMAT": true, "NODE_COORD_TYPE": true, "DISPLAY_DATA_TYPE": true,
	"NODE_COORD_SECTION": true, "EDGE_WEIGHT_SECTION": true, "DISPLAY_DATA_SECTION": true,
	"FIXED_EDGES_SECTION": true,
}

// unread lists what the file says and the instance does not have, in the order of its lines.
func (p *tsplib) unread() []unread {
	var out []unread
	for word, k := range p.keys {
		if !uses[word] {
			out = append(out, unread{word, lineAt(p.data, k.at)})
		}
	}
	for word, s := range p.sections {
		if !uses[word] {
			out = append(out, unread{word, lineAt(p.data, s.heading)})
		}
	}
	slices.SortFunc(out, func(a, b unread) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), strings.Compare(a.Word, b.Word))
	})
	return out
}

// passedOver says in a sentence what a file says and the instance does not have.
func passedOver(name string, of []unread) string {
	if len(of) == 0 {
		return ""
	}
	var parts []string
	for _, u := range of {
		near := ""
		if keys := nearKeys(u.Word); len(keys) > 0 {
			near = ", perhaps " + keys[0]
		}
		parts = append(parts, fmt.Sprintf("%s (line %d%s)", clip(u.Word), u.Line, near))
	}
	verb := "is"
	if len(parts) > 1 {
		verb = "are"
	}
	return fmt.Sprintf("%s is searched as a plain TSP: %s of its file %s passed over", name,
		strings.Join(parts, ", "), verb)
}

// nearKeys are the keywords and sections that a word may be a slip of.
func nearKeys(word string) []string {
	word = strings.ToUpper(word)
	var out []string
	for _, m := range [...]map[string]bool{knownKeys, knownSections} {
		for key := range m {
			if key != word && editDistance(word, key, 2) <= 2 && len(word) > 3 {
				out = append(out, key)
			}
		}
	}
	slices.Sort(out)
	return out
}

// nearKey asks whether one of nearKeys was meant.
func nearKey(word string) string {
	if near := nearKeys(word); len(near) > 0 {
		return " (" + near[0] + "?)"
	}
	return ""
}

// widened is the error about a section of cities, or where the first line of the section has a
// coordinate too many an error about that.
func (p *tsplib) widened(dim int, err error) error {
	sec := p.sections[p.section]
	s := p.scanner
	s.pos, s.end = sec.start, sec.end
	for s.pos < s.end {
		line, at := s.line()
		words := bytes.Fields(line)
		if len(words) == 0 {
			continue
		}
		if len(words) != dim+2 {
			return err
		}
		e := s.errorf(at, "a city's number and %d coordinates a line", dim)
		e.Found = fmt.Sprintf("%d coordinates", len(words)-1)
		return e
	}
	return err
}
