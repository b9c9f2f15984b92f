package cells

import (
	"os"
	"strings"
	"testing"

	"metalab/kernel/wire"
)

// A page shows HTML rather than text, also where it is empty: a reason must not stand beside one.
func TestWhyThereIsNoPanelIsShown(t *testing.T) {
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	k := New(dir + "/none.sock")
	forms := map[string]any{
		wire.FormSliders: `{"run":"a"}`, "text/html": "", "text/plain": "sliders of a",
	}
	k.Widgets.Shown(forms, func(string, any, map[string]any, [][]byte) error { return nil })
	if why, _ := forms["text/plain"].(string); len(forms) != 1 || !strings.Contains(why, "none.sock") {
		t.Errorf("the cell shows %v, want the reason alone", forms)
	}
}
