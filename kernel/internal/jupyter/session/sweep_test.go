package session

import (
	"strings"
	"testing"
)

func TestLeftover(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		line string
		want bool
	}{
		{"/t/s1/gonb_1/gonb_1", true},
		{"/usr/bin/gopls -listen unix;/t/s1/gonb_1/gopls_socket", true},
		{"/usr/bin/gopls -listen unix;/t/s12/gonb_1/gopls_socket", false},
		{"/t/s12/gonb_1/gonb_1", false},
		{"tail -f /t/s1/log", false},
		{"/t/s1", false},
		{"", false},
	} {
		if got := leftover("/t/s1", strings.Fields(c.line)); got != c.want {
			t.Errorf("%q: %v", c.line, got)
		}
	}
	if leftover("", []string{"/bin/sh"}) {
		t.Error("everything is left over of no session")
	}
}
