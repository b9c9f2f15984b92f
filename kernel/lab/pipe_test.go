package lab

import (
	"bytes"
	"encoding/gob"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/janpfeifer/gonb/gonbui/protocol"
	"pgregory.net/rapid"
)

// GoNB reads what cells show with encoding/gob into its own type.
func TestGobIsRead(t *testing.T) {
	t.Parallel()
	gob.Register(map[string]any{}) // as GoNB does
	rapid.Check(t, func(t *rapid.T) {
		stream := bytes.NewBuffer(gobTypes())
		type shown struct {
			id    string
			forms map[protocol.MIMEType]any
			about map[string]any
		}
		var want []shown
		// Another encoder of the same program writes into the same pipe: gonbui.
		var other bytes.Buffer
		theirs := gob.NewEncoder(&other)
		pings := uint64(0)
		for range rapid.IntRange(1, 5).Draw(t, "messages") {
			id := rapid.SampledFrom([]string{"", "x", strings.Repeat("long", 100)}).Draw(t, "id")
			text := rapid.String().Draw(t, "text") + strings.Repeat("0123456789",
				rapid.SampledFrom([]int{0, 10, 10000}).Draw(t, "tens"))
			w := shown{id: id, forms: map[protocol.MIMEType]any{"text/plain": text, "text/html": "<b>"}}
			forms := []mime{textForm(text), htmlForm("<b>")}
			if rapid.Bool().Draw(t, "picture") {
				p := pixels{
					rapid.Int64().Draw(t, "wide"), rapid.Int64().Draw(t, "high"),
					rapid.String().Draw(t, "words"),
				}
				w.forms["image/png"] = "iVBORw=="
				w.about = map[string]any{"image/png": map[string]any{
					"width": int(p.wide), "height": int(p.high), "alt": p.words,
				}}
				forms = append(forms, mime{"image/png", "iVBORw==", &p})
			}
			want = append(want, w)
			if rapid.Bool().Draw(t, "gonbui's") {
				other.Reset()
				if err := theirs.Encode(&protocol.DisplayData{
					Data: w.forms, Metadata: w.about, DisplayID: id,
				}); err != nil {
					t.Fatal(err)
				}
				stream.Write(other.Bytes())
				continue
			}
			stream.Write(gobDisplay(id, forms))
			pings++
			stream.Write(gobPing(pings))
		}
		d := gob.NewDecoder(stream)
		for i, w := range want {
			var got protocol.DisplayData
			if err := d.Decode(&got); err != nil {
				t.Fatalf("message %d: %v", i, err)
			}
			diff := cmp.Diff(w.forms, got.Data) + cmp.Diff(w.about, got.Metadata)
			if diff != "" || got.DisplayID != w.id {
				t.Fatalf("message %d: id %q, want %q; %s", i, got.DisplayID, w.id, diff)
			}
		}
	})
}
