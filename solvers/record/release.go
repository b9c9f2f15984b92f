package record

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Release is the latest version of metalab, as in CHANGELOG.md and CITATION.cff. A program that is
// not built as that release says that it is of this version or later.
const Release = "v0.2.0"

// Variables that the build of a release sets, by -ldflags "-X metalab/solvers/record.commit=…".
var (
	commit   string // the commit that the program is built from, whole
	changed  string // "true" where its sources differ from those of the commit
	sources  string // their fingerprint, where no commit is known
	released string // Release, where the program is that release
)

// A Maker identifies the sources from which a program was built. At most one of Commit and Sources
// is set; if neither is, the sources are unknown. A record's header holds it, and no replay
// compares it.
type Maker struct {
	Release string `json:"release,omitempty"` // the version, if the program is a release
	Commit  string `json:"commit,omitempty"`  // in full
	Changed bool   `json:"changed,omitempty"` // the sources differ from those of the commit
	Sources string `json:"sources,omitempty"` // a fingerprint of the sources, if no commit is known
	Go      string `json:"go,omitempty"`      // the version of Go
}

// short is a commit as people read it.
func short(commit string) string { return commit[:min(12, len(commit))] }

// String describes m, such as "metalab v0.1.0 or later, commit 0123456789ab, go1.26.8".
func (m Maker) String() string {
	of := "commit not known"
	switch {
	case m.Commit != "" && m.Changed:
		of = "commit " + short(m.Commit) + " with changes"
	case m.Commit != "":
		of = "commit " + short(m.Commit)
	case m.Sources != "":
		of = "sources " + m.Sources
	}
	return "metalab " + cmp.Or(m.Release, Release+" or later") + ", " + of + ", " +
		cmp.Or(m.Go, runtime.Version())
}

// Flag returns the flag of go build that stores m in a program.
func (m Maker) Flag() string {
	flag := "-ldflags="
	for _, v := range [][2]string{
		{"released", m.Release},
		{"commit", m.Commit},
		{"sources", m.Sources},
		{"changed", map[bool]string{true: "true"}[m.Changed]},
	} {
		if v[1] != "" {
			flag += " -X metalab/solvers/record." + v[0] + "=" + v[1]
		}
	}
	return flag
}

// stamped returns the maker stored in the program: the release or commit from its build, else that
// of Go's build information.
func stamped() Maker {
	m := Maker{
		Release: released, Commit: commit, Changed: changed == "true", Sources: sources,
		Go: runtime.Version(),
	}
	bi, ok := debug.ReadBuildInfo()
	if ok && m.Commit == "" && m.Sources == "" && bi.Main.Path == "metalab" {
		for _, s := range bi.Settings {
			switch s.Key {
			case "vcs.revision":
				m.Commit = s.Value
			case "vcs.modified":
				m.Changed = s.Value == "true"
			}
		}
	}
	return m
}

var finder struct {
	sync.Mutex
	find func() Maker
}

// FindMaker registers a function that finds the sources of a program without a stored maker. A
// front end or a host registers one at its start.
func FindMaker(find func() Maker) {
	finder.Lock()
	finder.find = find
	finder.Unlock()
}

// Made returns the maker of this program. The first call may take some hundredths of a second.
var Made = sync.OnceValue(func() Maker {
	m := stamped()
	finder.Lock()
	find := finder.find
	finder.Unlock()
	if m.Commit == "" && m.Sources == "" && find != nil {
		found := find()
		found.Go, found.Release = m.Go, cmp.Or(m.Release, found.Release)
		return found
	}
	return m
})

// Build describes the maker that is stored in the program. It reads no file.
var Build = sync.OnceValue(func() string { return stamped().String() })

// Again returns the shell command that replays the record in file with the metalab that made it, or
// "" if that is unknown. repository is the address or folder of metalab's repository.
func (h *Header) Again(repository, file string) string {
	var m Maker
	if h.Maker != nil {
		m = *h.Maker
	} else if f := strings.Fields(h.Build); len(f) > 2 && f[0] == "metalab" && isHex(f[2]) {
		m.Commit = f[2] // "metalab v0.1.0 0123456789ab go1.26.8", as earlier records have it
	}
	at, folder := cmp.Or(m.Release, m.Commit), "metalab-"+cmp.Or(m.Release, short(m.Commit))
	if at == "" {
		if h.StartedAt.IsZero() {
			return ""
		}
		at = fmt.Sprintf(`"$(git rev-list -1 --before=%s HEAD)"`,
			h.StartedAt.UTC().Format(time.RFC3339))
		folder = "metalab-" + h.StartedAt.UTC().Format("20060102T1504")
	}
	clone := `metalab's repository`
	if repository != "" {
		clone = repository
	}
	return fmt.Sprintf("git clone %s %s && cd %[2]s && git checkout %s && go run ./repl -c %s",
		shellWord(clone), folder, at, shellWord("replay "+typedWord(cmp.Or(file, "FILE"))))
}

// Wrote advises to use the metalab that wrote the record, and ends with the command that replays it
// there; see Again.
func (h *Header) Wrote(repository, file string) string {
	use, line := "use the metalab that wrote it ("+h.Build+")", h.Again(repository, file)
	switch {
	case line == "":
		return use
	case strings.Contains(line, "rev-list"):
		return use + ", whose commit it does not name; with the latest of when the run began: " + line
	case h.Maker != nil && h.Maker.Changed:
		return use + ", which had changes that no commit holds; without them: " + line
	}
	return use + ": " + line
}

func isHex(s string) bool {
	return len(s) >= 7 && strings.Trim(s, "0123456789abcdef") == ""
}

// shellWord is a text as one word of a shell's line.
func shellWord(s string) string {
	if s != "" && strings.Trim(s, shellSafe) == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

const shellSafe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+:@%,="

// typedWord is a path as the prompt reads it.
func typedWord(path string) string {
	if strings.Trim(path, shellSafe) == "" {
		return path
	}
	return strconv.Quote(path)
}
