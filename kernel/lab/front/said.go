package front

import (
	"encoding/json"
	"os"
	"runtime"
	"strings"
)

// Said is why a cell failed, as its program leaves it for the kernel.
type Said struct {
	Text string  `json:"text"`
	At   []Frame `json:"at,omitempty"` // the calls that led there, the innermost first

	// Stopped says that the reader of the notebook had the cell stopped.
	Stopped bool `json:"stopped,omitempty"`
}

// A Frame is a call in a cell's program: its line there, and the function that it stands in.
type Frame struct {
	Line int    `json:"line"`
	In   string `json:"in"`
}

// maxFrames is how many calls are looked through.
const maxFrames = 64

// Say leaves why a cell failed, with the lines of the program that led to this call, where a kernel
// has named a file for it.
func Say(text string, stopped bool) bool {
	path := os.Getenv(EnvSaid)
	if path == "" {
		return false
	}
	s := Said{Text: text, Stopped: stopped}
	pcs := make([]uintptr, maxFrames)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	for more := true; more; {
		var f runtime.Frame
		f, more = frames.Next()
		if in, ok := strings.CutPrefix(f.Function, "main."); ok {
			s.At = append(s.At, Frame{f.Line, in})
		}
	}
	b, err := json.Marshal(s)
	return err == nil && os.WriteFile(path, b, 0o600) == nil
}

// ReadSaid reads what Say has left; ok is false where it has left nothing.
func ReadSaid(path string) (s Said, ok bool) {
	b, err := os.ReadFile(path)
	if err != nil {
		return s, false
	}
	if json.Unmarshal(b, &s) != nil { // of a program with another version of lab
		s = Said{Text: string(b)}
	}
	s.Text = strings.TrimSpace(s.Text)
	return s, s.Text != ""
}
