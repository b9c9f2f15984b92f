package wire

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"metalab/kernel/reply"

	"pgregory.net/rapid"
)

func TestTame(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`{"a":"x"}`:                           `{"a":"x"}`,
		`{"a":"\u001b[2J"}`:                   `{"a":"\\x1b[2J"}`,
		`{"a":"\u0007\u009b1m\u007f"}`:        `{"a":"\\x07\\x9b1m\\x7f"}`,
		"{\"a\":\"\u009b1m\x7f\"}":            `{"a":"\\x9b1m\\x7f"}`,
		`{"a":"\r\b\f"}`:                      `{"a":"\\x0d\\x08\\x0c"}`,
		`{"a":"one\ntwo\u000a\tthree\u0009"}`: `{"a":"one\ntwo\u000a\tthree\u0009"}`,
		// a backslash, written as it should be
		`{"a":"\\u001b \\\\r \\"}`: `{"a":"\\u001b \\\\r \\"}`,
		`{"a":"ü → é\u00e9 ¡"}`:    `{"a":"ü → é\u00e9 ¡"}`,
		"{\r\n\"a\":\x1b1}\n":      `{  "a": 1} `,
		`{"a":"\u00`:               `{"a":"\u00`,
		`{"a":"\`:                  `{"a":"\`,
		"{\"a\":\"\xc2":            "{\"a\":\"\xc2",
	} {
		if got := string(tame([]byte(in))); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// Whatever a text is, it comes through JSON without control characters, and otherwise as it
// was.
func TestTameAny(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text") + rapid.SampledFrom([]string{
			"", "\x1b[31m", "\u0085",
			"\x7f", "\\u001b", "\r", "\\",
		}).Draw(t, "end")
		raw, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		var got string
		if err := json.Unmarshal(tame(raw), &got); err != nil {
			t.Fatalf("%q: %v", raw, err)
		}
		calm := true
		for _, r := range text {
			calm = calm && (r == '\n' || r == '\t' || reply.Printable(string(r)) == string(r))
		}
		lines := strings.NewReplacer("\n", " ", "\t", " ").Replace(got)
		if lines != reply.Printable(lines) {
			t.Fatalf("%q came as %q", text, got)
		}
		if calm && got != text && utf8.ValidString(text) {
			t.Fatalf("%q came as %q", text, got)
		}
	})
}
