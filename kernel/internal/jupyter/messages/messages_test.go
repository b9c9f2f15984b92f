package messages

import (
	"testing"
)

func TestMessages(t *testing.T) {
	t.Parallel()
	parts := [][]byte{
		[]byte(`{"msg_type":"stream","msg_id":"1"}`), []byte(`{"msg_id":"2"}`),
		[]byte("{}"), []byte(`{"text":"x"}`),
	}
	frames := append([][]byte{[]byte("address"), []byte(Delimiter), sign("key", parts)}, parts...)
	m, err := decodeMessage("key", frames)
	if err != nil || m.Header.Type != "stream" || m.Parent.ID != "2" ||
		string(m.Content) != `{"text":"x"}` {
		t.Errorf("%+v, %v", m, err)
	}
	// The known answer of RFC 4231, test case 2.
	got := string(sign("Jefe", [][]byte{[]byte("what do ya want "), []byte("for nothing?")}))
	if got != "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843" {
		t.Errorf("signature %s", got)
	}
	for name, frames := range map[string][][]byte{
		"another key": append([][]byte{[]byte(Delimiter), sign("other", parts)}, parts...),
		"too short":   append([][]byte{[]byte(Delimiter), sign("key", parts)}, parts[:3]...),
		"no frames":   nil,
		"no header": append([][]byte{[]byte(Delimiter), sign("key", [][]byte{{}, {}, {}, {}})},
			[][]byte{{}, {}, {}, {}}...),
	} {
		if _, err := decodeMessage("key", frames); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
