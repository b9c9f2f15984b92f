package jupyter

import (
	"strings"
	"testing"
)

func TestSessionName(t *testing.T) {
	for path, want := range map[string]string{
		"/a/My notes (2).ipynb": "My_notes__2_-", "": "notebook-", "/x/ä.ipynb": "notebook-",
		"/x/" + strings.Repeat("long", 20) + ".ipynb": strings.Repeat("long", 7) + "-",
	} {
		if got := SessionName(path, 123456); !strings.HasPrefix(got, want) || len(got) > 40 {
			t.Errorf("%s: %s, want %s…", path, got, want)
		}
	}
}
