package stream

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/nats-io/nats.go/jetstream"

	"metalab/solvers/experiment"
	"metalab/solvers/record"
)

// maxRefusals is the number of the latest refusals that a worker reports.
const maxRefusals = 5

// program says what this program is, and for which machines.
func program() string { return record.Build() + " " + runtime.GOOS + "/" + runtime.GOARCH }

// The metadata of a consumer, which a coordinator shows to a worker that gets none of its units.
const (
	metaFormat = "format"
	metaBuild  = "build"
	metaOwn    = "own" // the solver or the problem belongs to a user
)

// metaOf is the metadata of the consumer of a unit's algorithm.
func metaOf(u *experiment.Unit) map[string]string {
	m := map[string]string{metaFormat: strconv.Itoa(format), metaBuild: program()}
	if isOwn(u) {
		m[metaOwn] = "yes"
	}
	return m
}

// reason says in words why this worker gets no units of an algorithm.
func (x *activeWorker) reason(c *jetstream.ConsumerConfig) string {
	kind, asks := c.Description, c.Metadata[metaBuild]
	if isText("algorithm", kind, maxWord) != nil {
		kind = "an algorithm without a name"
	}
	if asks = oneLine(asks, maxWord); asks == "" {
		asks = "another program"
	}
	here := cmp.Or(x.w.Build, program())
	if f := c.Metadata[metaFormat]; f != "" && f != strconv.Itoa(format) {
		return fmt.Sprintf("no units of %s: who asks has messages of format %s (%s), and this worker of "+
			"format %d (%s); both sides must be of one version of metalab", kind, oneLine(f, 10), asks,
			format, here)
	}
	if c.Metadata[metaOwn] != "" && x.w.Code == nil {
		return fmt.Sprintf("no units of %s: they come with code of somebody's own, which this worker "+
			"does not compile and run; one that is started with -code does", kind)
	}
	without, _, _ := cutRevision(kind)
	if strings.HasSuffix(without, " on cuda") && len(x.w.GPUs) == 0 {
		return fmt.Sprintf("no units of %s: this worker uses no GPU; -gpus all uses those that are here",
			kind)
	}
	builds := ""
	if asks != here {
		builds = fmt.Sprintf(" (who asks has %s, this worker %s)", asks, here)
	}
	for _, k := range slices.Sorted(maps.Values(x.can)) {
		if have, rev, _ := cutRevision(k); have == without {
			return fmt.Sprintf("no units of %s: here it is %s, which gives other results%s", kind, rev,
				builds)
		}
	}
	return fmt.Sprintf("no units of %s: this program does not have it%s", kind, builds)
}

// refused notes that a unit or a result was refused, and why: those who list the workers see it.
func (x *activeWorker) refused(format string, a ...any) {
	text := oneLine(fmt.Sprintf(format, a...), 3*maxWord)
	x.mu.Lock()
	known := slices.Contains(x.refusals, text)
	if !known {
		x.refusals = append(x.refusals, text)
		x.refusals = x.refusals[max(0, len(x.refusals)-maxRefusals):]
		x.news = true
	}
	x.mu.Unlock()
	if !known {
		x.say("%s", text)
	}
}

// oneLine returns text for messages: printable, of at most that many bytes.
func oneLine(s string, most int) string {
	s = strings.Map(func(r rune) rune {
		if r == unicode.ReplacementChar || !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, s)
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most-len("…")], "") + "…"
}

// stranger describes a worker of another version, whose messages are unreadable.
func stranger(name string, data []byte) (h Hello, ok bool) {
	var s struct {
		Format  int    `json:"format"`
		Build   string `json:"build"`
		Machine string `json:"machine"`
	}
	err := json.Unmarshal(data, &s)
	if err != nil || len(data) > maxMessage || s.Format < 1 || s.Format == format {
		return h, false
	}
	return Hello{
		Format: s.Format, Name: name, Build: oneLine(s.Build, maxWord),
		Machine: oneLine(s.Machine, maxWord), Variants: []string{}, Making: []string{},
		Why: []string{fmt.Sprintf("it gets no units: its messages are of format %d (%s), and those of "+
			"this program of format %d; both sides must be of one version of metalab", s.Format,
			cmp.Or(oneLine(s.Build, maxWord), "another program"), format)},
	}, true
}

// notify tells a worker why its results are refused.
func (a *coordinator) notify(worker string, why error) {
	b, err := json.Marshal(&order{Format: format, Why: oneLine(why.Error(), 2*maxWord)})
	if err == nil {
		_ = a.l.nc.Publish(a.l.subject("worker", worker), b) // it gets no units of this one either way
	}
}
