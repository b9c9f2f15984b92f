package reply

import (
	"fmt"
	"strings"
)

// String returns the picture if it consists of text, else the name of its file.
func (r *PlotReply) String() string {
	switch {
	case r.Path != "":
		return fmt.Sprintf("%s written to %s", r.Figure, r.Path)
	case strings.HasPrefix(r.Mime, "text/plain"):
		return strings.TrimSuffix(string(r.Data), "\n")
	}
	return fmt.Sprintf("%s of %s: %s, %d bytes", r.Figure, strings.Join(r.Runs, ", "), r.Mime,
		len(r.Data))
}

// String describes the written file.
func (r *FileReply) String() string {
	out := fmt.Sprintf("%s: %s, %d bytes", r.Run, r.Path, r.Bytes)
	if r.State != "" {
		out += fmt.Sprintf(", and its state beside it, %d bytes", r.StateBytes)
	}
	what := "the run"
	if r.Units > 0 {
		what = fmt.Sprintf("%d of %s", r.Replay, count(r.Units, "unit"))
	}
	switch {
	case r.Units > 0 && r.Replay == 0:
		out += ", " + count(r.Units, "unit") + ", none of which a page makes again; it says why"
	case r.Engine != "":
		out += fmt.Sprintf(", and the engine that makes %s again in it, %s, %d bytes: put both "+
			"into one folder", what, r.Engine, r.EngineBytes)
	case r.Inline:
		out += ", with the engine that makes " + what + " again in it"
	case r.Seeds > 0:
		out += ", " + count(r.Seeds, "seed")
	case r.Rows > 0 && r.Rows < r.Of:
		out += fmt.Sprintf(", %d of %d iterations, those that the history keeps (all: each)",
			r.Rows, r.Of)
	case r.Rows > 0:
		out += fmt.Sprintf(", all %d iterations", r.Of)
	}
	return out
}
