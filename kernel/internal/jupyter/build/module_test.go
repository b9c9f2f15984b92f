package build

import (
	"strings"
	"testing"
)

// Without Go nothing is said of folders: there is none to go to.
func TestInstallWithoutGo(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if _, err := ModuleRoot(t.Context()); err == nil ||
		!strings.Contains(err.Error(), "https://go.dev/dl") || strings.Contains(err.Error(), "folder") {
		t.Errorf("without Go: %v", err)
	}
}
