package build

import (
	"embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// The changes of GoNB are a series of patches in the folder gonb, a change each, in the order of
// their names. A patch begins with its subject, an empty line and its reason. Then
//
//	--- path
//
// names a file of GoNB that it changes, and each hunk of it begins with
//
//	@@
//
// and has lines that are kept (" "), taken out ("-") or put in ("+"). Those kept and taken out
// follow each other in the file, and stand there once: one of them is enough to know the place, so
// a hunk holds no more of GoNB than that. And
//
//	+++ path
//
// names a file that is new, all of whose lines are put in. The first patches mend GoNB for
// everybody; the later ones call package kernel/cells, mostly from files of their own.
//
//go:embed gonb/*.patch
var gonbPatches embed.FS

// A patch is a change of GoNB.
type patch struct {
	subject, reason string
	files           []patchFile
}

// A patchFile is what a patch does to a file.
type patchFile struct {
	path  string
	fresh bool   // it is new
	text  string // of a new file
	hunks []hunk // of another one
}

// A hunk is a piece of a file, whole lines, and what takes its place.
type hunk struct{ old, text string }

// readPatches reads the series.
func readPatches() ([]patch, error) {
	entries, err := gonbPatches.ReadDir("gonb") // by name
	if err != nil {
		return nil, err
	}
	out := make([]patch, len(entries))
	for i, e := range entries {
		b, err := gonbPatches.ReadFile("gonb/" + e.Name())
		if err == nil {
			out[i], err = parsePatch(string(b))
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", e.Name(), err)
		}
	}
	return out, nil
}

// parsePatch reads a patch.
func parsePatch(text string) (patch, error) {
	var p patch
	head, _, found := strings.Cut(text, "\n--- ")
	if h, _, is := strings.Cut(head, "\n+++ "); is || !found {
		head, found = h, found || is
	}
	subject, reason, _ := strings.Cut(head, "\n\n")
	p.subject, p.reason = subject, strings.TrimSpace(reason)
	if p.subject == "" || strings.Contains(p.subject, "\n") || p.reason == "" || !found {
		return p, errors.New("want a subject, an empty line, a reason, and a file")
	}
	at := strings.Count(head, "\n") + 1
	lines := strings.SplitAfter(strings.TrimSuffix(text[len(head)+1:], "\n")+"\n", "\n")
	for i, l := range lines[:len(lines)-1] {
		if err := p.add(l); err != nil {
			return p, fmt.Errorf("line %d: %w", at+i+1, err)
		}
	}
	for _, f := range p.files {
		if f.text == "" && len(f.hunks) == 0 {
			return p, fmt.Errorf("%s: nothing is changed", f.path)
		}
		for i, h := range f.hunks {
			if h.old == "" || h.old == h.text {
				return p, fmt.Errorf("%s, hunk %d: want lines that are kept or taken out, and a change",
					f.path, i+1)
			}
		}
	}
	return p, nil
}

// add takes a line below the head in, which ends with a newline.
func (p *patch) add(line string) error {
	for _, mark := range []string{"--- ", "+++ "} {
		if path, ok := strings.CutPrefix(line, mark); ok {
			path = strings.TrimSuffix(path, "\n")
			if !filepath.IsLocal(filepath.FromSlash(path)) {
				return fmt.Errorf("%q: want the path of a file within GoNB", path)
			}
			p.files = append(p.files, patchFile{path: path, fresh: mark == "+++ "})
			return nil
		}
	}
	f := &p.files[len(p.files)-1] // the first line has begun one
	last := len(f.hunks) - 1
	switch {
	case line == "@@\n" && !f.fresh:
		f.hunks = append(f.hunks, hunk{})
	case line[0] == '+' && f.fresh:
		f.text += line[1:]
	case last < 0:
		return fmt.Errorf("%q: want @@ first", line)
	case line[0] == '+':
		f.hunks[last].text += line[1:]
	case line[0] == '-':
		f.hunks[last].old += line[1:]
	case line[0] == ' ':
		f.hunks[last].old += line[1:]
		f.hunks[last].text += line[1:]
	default:
		return fmt.Errorf("%q: want @@, or a line that begins with a space, - or +", line)
	}
	return nil
}

// apply changes GoNB in a folder.
func (p patch) apply(dir string) error {
	for _, f := range p.files {
		name := filepath.Join(dir, filepath.FromSlash(f.path))
		b, err := os.ReadFile(name)
		text := f.text
		switch {
		case f.fresh && err == nil:
			return fmt.Errorf("%q: %s is there already", p.subject, f.path)
		case f.fresh:
		case err != nil:
			return fmt.Errorf("%q: %w", p.subject, err)
		default:
			if text, err = f.change(string(b)); err != nil {
				return fmt.Errorf("%q: %w", p.subject, err)
			}
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// change returns a file's text with the hunks in it.
func (f patchFile) change(text string) (string, error) {
	for i, h := range f.hunks {
		n, place, lineAt := 0, 0, 0
		for l := range strings.Lines(text) {
			if strings.HasPrefix(text[lineAt:], h.old) {
				n, place = n+1, lineAt
			}
			lineAt += len(l)
		}
		if n != 1 {
			return "", fmt.Errorf("another version of %s: what hunk %d changes is there %d times, "+
				"want once", f.path, i+1, n)
		}
		text = text[:place] + h.text + text[place+len(h.old):]
	}
	return text, nil
}
