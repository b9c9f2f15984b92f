package wire

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"metalab/kernel/reply"
)

// EnvSession is the environment variable that names the session of a program: a name, or
// the path of a socket.
const EnvSession = "METALAB_SESSION"

// maxSocketPath is the longest path of a socket that all systems take: sun_path has 104
// bytes on darwin and 108 on linux, one for the end.
const maxSocketPath = 103

// Dir returns the folder of the sockets: that of the socket that METALAB_SESSION names, as in
// notebooks, which have temporary folders of their own; else $XDG_RUNTIME_DIR/metalab, or a folder
// with the user's number in the temporary folder.
func Dir() string {
	if s := os.Getenv(EnvSession); filepath.IsAbs(s) {
		return filepath.Dir(s)
	}
	if d := os.Getenv("XDG_RUNTIME_DIR"); d != "" && filepath.IsAbs(d) {
		if st, err := os.Stat(d); err == nil && st.IsDir() {
			return filepath.Join(d, "metalab")
		}
	}
	return filepath.Join(os.TempDir(), fmt.Sprintf("metalab-%d", os.Getuid()))
}

// CheckSession returns an error unless name can be the name of a session or a run: 1 to 40
// letters, digits, dots, dashes and underscores, not beginning with a dot or a dash.
func CheckSession(name string) error {
	ok := name != "" && len(name) <= 40 && name[0] != '.' && name[0] != '-'
	for _, c := range []byte(name) {
		ok = ok && (c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c == '.' ||
			c == '-' || c == '_')
	}
	if !ok {
		return errorf(CodeRequest, "name %q: want 1 to 40 letters, digits, dots, dashes and "+
			"underscores, the first no dot and no dash", name)
	}
	return nil
}

// CheckRun returns an error unless name can be the name of a run: a session's name that has no
// other meaning in a command, as verbs, numbers and times do.
func CheckRun(name string) error {
	if err := CheckSession(name); err != nil {
		return err
	}
	taken := func(what string) error {
		return errorf(CodeRequest, "name %q: it is %s; take another", name, what)
	}
	if _, ok := Find(name); ok {
		return taken("a verb")
	}
	if _, err := strconv.ParseFloat(name, 64); err == nil {
		return taken("a number")
	}
	if _, err := ParseSeconds(strings.TrimSuffix(name, "cpu")); err == nil {
		return taken("a time")
	}
	if name == "off" { // of watch
		return taken("a word of commands")
	}
	for _, v := range Verbs {
		for _, a := range v.Args {
			if a.Word == name || a.Kind == KindTruth && a.Name == name {
				return taken("a word of commands")
			}
		}
	}
	return nil
}

// SocketPath returns the path of a session's socket. A session that contains a slash is a path
// already.
func SocketPath(session string) (string, error) {
	path := session
	if !strings.Contains(session, "/") {
		if err := CheckSession(session); err != nil {
			return "", err
		}
		path = filepath.Join(Dir(), session+".sock")
	}
	if len(path) > maxSocketPath {
		return "", errorf(CodeRequest, "the path of the socket has %d bytes, want at most %d: %s (set "+
			"XDG_RUNTIME_DIR to a shorter folder)", len(path), maxSocketPath, path)
	}
	return path, nil
}

// FindSession returns the name of the live session with the name prefix, else of the only one whose
// name, or whose notebook's name, begins with it. A prefix that contains a slash is the path of a
// socket, and FindSession returns it as it is.
func FindSession(ctx context.Context, prefix string) (string, error) {
	if strings.Contains(prefix, "/") {
		return prefix, nil
	}
	path, err := SocketPath(prefix)
	if err != nil {
		return "", err
	}
	if err := CheckDir(Dir()); err != nil {
		return "", err
	}
	if _, err := os.Lstat(path); err == nil {
		return prefix, nil
	}
	var all, fit []string
	for _, h := range Sessions(ctx) {
		words := h.Session
		if h.Notebook != "" {
			words += reply.Printable(" (" + filepath.Base(h.Notebook) + ")")
		}
		all = append(all, words)
		if strings.HasPrefix(h.Session, prefix) ||
			strings.HasPrefix(filepath.Base(h.Notebook), prefix) && h.Notebook != "" {
			fit = append(fit, h.Session)
		}
	}
	there := "none is live"
	if len(all) > 0 {
		there = "there are: " + strings.Join(all, ", ")
	}
	switch len(fit) {
	case 0:
		return "", errorf(CodeHost, "there is no session %s; %s", prefix, there)
	case 1:
		return fit[0], nil
	}
	return "", &Error{CodeHost, fmt.Sprintf("%s is the beginning of several sessions: %s",
		prefix, strings.Join(fit, ", "))}
}

// Sessions asks every socket in Dir and returns the hosts that answer, by name. It leaves sockets
// whose host has died: the next host with that name removes them. It asks nothing in another user's
// folder; CheckDir reports that.
func Sessions(ctx context.Context) []reply.Hello {
	paths, _ := filepath.Glob(filepath.Join(Dir(), "*.sock"))
	slices.Sort(paths)
	var out []reply.Hello
	for _, path := range paths {
		ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
		c, err := Dial(ctx, path, "")
		cancel()
		if err == nil {
			out = append(out, c.Hello())
			c.Close()
		} else if e, ok := err.(*VersionError); ok {
			out = append(out, e.Host)
		}
	}
	return out
}
