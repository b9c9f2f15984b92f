package prompt

import "testing"

func TestOpener(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		system, name, want string
	}{
		{"linux", "DISPLAY", "xdg-open"},
		{"linux", "WAYLAND_DISPLAY", "xdg-open"},
		{"linux", "NOTHING", ""},
		{"linux", "SSH_CONNECTION", ""},
		{"darwin", "NOTHING", "open"},
		{"darwin", "SSH_CONNECTION", ""},
	} {
		env := func(name string) string {
			if name == c.name {
				return "x"
			}
			return ""
		}
		if got := opener(env, c.system); got != c.want {
			t.Errorf("%s with %s: %q, want %q", c.system, c.name, got, c.want)
		}
	}
}
