package stream

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/nats-io/nats.go/jetstream"
	"pgregory.net/rapid"

	"metalab/solvers/record"
)

// Each reason for which a worker gets no units of an algorithm has words of its own.
func TestReasons(t *testing.T) {
	x := &activeWorker{w: &Worker{Build: "this"}, can: map[string]string{
		"1": "toy/swap on cpu, revision 1",
	}}
	meta := func(more ...string) map[string]string {
		m := map[string]string{metaFormat: "1", metaBuild: "that"}
		for i := 0; i < len(more); i += 2 {
			m[more[i]] = more[i+1]
		}
		return m
	}
	for _, c := range []struct {
		kind string
		meta map[string]string
		want string
	}{
		{
			"toy/swap on cpu, revision 2", meta(), "no units of toy/swap on cpu, revision 2: here it is " +
				"revision 1, which gives other results (who asks has that, this worker this)",
		},
		{
			"toy/swap on cpu, revision 1", meta(metaFormat, "2"), "no units of toy/swap on cpu, revision " +
				"1: who asks has messages of format 2 (that), and this worker of format 1 (this); both " +
				"sides must be of one version of metalab",
		},
		{
			"mine/main on cpu, revision 1", meta(metaOwn, "yes"), "no units of mine/main on cpu, revision " +
				"1: they come with code of somebody's own, which this worker does not compile and run; one " +
				"that is started with -code does",
		},
		{
			"toy/swap on cuda, revision 1", meta(), "no units of toy/swap on cuda, revision 1: this " +
				"worker uses no GPU; -gpus all uses those that are here",
		},
		{
			"new/main on cpu, revision 1", nil, "no units of new/main on cpu, revision 1: this program " +
				"does not have it (who asks has another program, this worker this)",
		},
		{
			"a\x1b[31m", meta(metaBuild, "b\x07"), "no units of an algorithm without a name: this program " +
				"does not have it (who asks has b , this worker this)",
		},
	} {
		got := x.reason(&jetstream.ConsumerConfig{Description: c.kind, Metadata: c.meta})
		if got != c.want {
			t.Errorf("%s %v: %s\nwant %s", c.kind, c.meta, got, c.want)
		}
	}
}

// Text of others becomes one that messages may have, whatever it is.
func TestOneLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := string(rapid.SliceOfN(rapid.Byte(), 0, 60).Draw(t, "bytes")) +
			rapid.String().Draw(t, "text")
		most := rapid.IntRange(10, 80).Draw(t, "most")
		if err := isText("a line", oneLine(s, most), most); err != nil {
			t.Fatal(err)
		}
	})
}

// Who lists the workers sees one of another version, and what a worker refuses, be it an algorithm
// of another version or a unit that it cannot read; each says itself what it is.
func TestOtherVersion(t *testing.T) {
	units := unitsOf(t, 1)
	s := newScene(t, units)
	l, p := s.hostile()
	newer := `{"format":2,"name":"newer","build":"metalab v9","machine":"m","speed":{}}`
	if _, err := p.workers.Put(t.Context(), "newer", []byte(newer)); err != nil {
		t.Fatal(err)
	}
	if _, err := p.workers.Put(t.Context(), "noise", []byte("[")); err != nil {
		t.Fatal(err)
	}
	kind := kindOf("toy", "swap", "cpu", 1)
	if _, err := p.stream.CreateConsumer(t.Context(), jetstream.ConsumerConfig{
		Durable: tokenOf(2, kind), Description: kind, AckPolicy: jetstream.AckExplicitPolicy,
		FilterSubject: l.subject("unit", tokenOf(2, kind), ">"), MemoryStorage: true,
		Metadata: map[string]string{metaFormat: "2", metaBuild: "metalab v9"},
	}); err != nil {
		t.Fatal(err)
	}
	for _, subject := range []string{
		l.subject("unit", tokenOf(2, kind), strings.Repeat("0a", 32)),
		l.unit(kind, strings.Repeat("0b", 32)),
	} {
		if _, err := l.js.Publish(t.Context(), subject, []byte(`{"format":2}`)); err != nil {
			t.Fatal(err)
		}
	}
	s.join("a")
	s.ask()
	if err := s.result(); err != nil {
		t.Fatal(err)
	}
	s.until("why", func() bool {
		all, err := Workers(t.Context(), s.a)
		if err != nil || len(all) != 2 || all[0].Name != "a" || all[1].Name != "newer" {
			t.Fatalf("%v: %v", err, all)
		}
		why := strings.Join(all[0].Why, "\n")
		return strings.Contains(why, "who asks has messages of format 2 (metalab v9)") &&
			strings.Contains(why, "a unit is refused: stream: a message is of format 2, want 1") &&
			strings.Contains(strings.Join(all[1].Why, "\n"), "its messages are of format 2 (metalab v9)")
	})
}

// A worker whose results are refused is told why, and so is who lists the workers.
func TestRefusedResultIsTold(t *testing.T) {
	units := unitsOf(t, 2)
	units[1].Budget = record.Budget{Wall: 3600}
	units[1].Key, _ = units[1].MakeKey()
	s := newScene(t, units)
	l, p := s.hostile()
	s.join("mallory") // in whose name a result comes that is false
	r := s.made(units[0])
	r.Best--
	s.put(p, &units[0], "mallory", &r)
	s.ask()
	s.until("why", func() bool {
		all, err := Workers(t.Context(), s.a)
		return err == nil && len(all) == 1 && strings.Contains(strings.Join(all[0].Why, "\n"),
			"results of this worker are refused by who asked: its solution costs")
	})
	// An order with such a reason ends nothing.
	b, err := json.Marshal(&order{Format: format, Why: "x"})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 * maxRefusals {
		if err := l.nc.Publish(l.subject("worker", "mallory"), b); err != nil {
			t.Fatal(err)
		}
	}
	s.until("another", func() bool {
		all, err := Workers(t.Context(), s.a)
		return err == nil && len(all) == 1 && len(all[0].Why) == 2 && !all[0].Draining
	})
}
