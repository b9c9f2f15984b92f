package lab

import (
	"bufio"
	"bytes"
	"encoding/gob"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/janpfeifer/gonb/gonbui/protocol"
	"pgregory.net/rapid"
)

// GoNB reads what a relaying cell says, between what it shows.
func TestRelayIsRead(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text") + strings.Repeat("0123456789",
			rapid.SampledFrom([]int{0, 10, 10000}).Draw(t, "tens"))
		stream := bytes.NewBuffer(gobTypes())
		stream.Write(gobRelayTypes())
		stream.Write(gobRelay("gonb/comm_subscribe", gonbSubscribe, gobSubscription,
			gobText([]byte{1}, "/a")))
		stream.Write(gobDisplay("", []mime{textForm("x")}))
		stream.Write(gobRelay("gonb/comm_value", gonbValue, gobComm, gobCommFields("/b", text)))
		d := gob.NewDecoder(stream)
		for i, want := range []map[protocol.MIMEType]any{
			{protocol.MIMECommSubscribe: protocol.CommSubscription{Address: "/a"}},
			{protocol.MIMETextPlain: "x"},
			{protocol.MIMECommValue: protocol.CommValue{Address: "/b", Value: text}},
		} {
			var got protocol.DisplayData
			if err := d.Decode(&got); err != nil {
				t.Fatalf("message %d: %v", i, err)
			}
			if diff := cmp.Diff(want, got.Data); diff != "" {
				t.Fatalf("message %d: %s", i, diff)
			}
		}
	})
}

// A cell reads what GoNB passes on from pages: texts, and nothing else.
func TestRelayReads(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var stream bytes.Buffer
		e := gob.NewEncoder(&stream)
		var want [][2]string
		for range rapid.IntRange(1, 5).Draw(t, "messages") {
			address, text := rapid.String().Draw(t, "address"), rapid.String().Draw(t, "text")
			v := rapid.SampledFrom([]any{
				text, 7, 2.5, true, nil,
				[]string{"x"},
				map[string]string{"x": "y"},
			}).Draw(t, "value")
			if err := e.Encode(&protocol.CommValue{
				Address: address, Value: v,
				Request: rapid.Bool().Draw(t, "request"),
			}); err != nil {
				t.Fatal(err)
			}
			if s, ok := v.(string); ok {
				want = append(want, [2]string{address, s})
			}
		}
		var got [][2]string
		r := bufio.NewReader(&stream)
		for {
			m, err := gobRead(r)
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if a, s, ok := gobCommText(m); ok {
				got = append(got, [2]string{a, s})
			}
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Fatal(d)
		}
	})
}

func FuzzGobCommText(f *testing.F) {
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(&protocol.CommValue{
		Address: "/a",
		Value:   "text",
	}); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Add([]byte{0xff})
	f.Add([]byte{3, 0xf8, 0xff, 0xff})
	f.Fuzz(func(t *testing.T, b []byte) {
		r := bufio.NewReader(bytes.NewReader(b))
		for {
			m, err := gobRead(r)
			if err != nil {
				return
			}
			if a, s, ok := gobCommText(m); ok && len(a)+len(s) > len(m) {
				t.Errorf("%d bytes hold %q and %q", len(m), a, s)
			}
		}
	})
}
