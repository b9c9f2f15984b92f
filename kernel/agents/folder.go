package agents

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"metalab/kernel/wire"
	"metalab/solvers"
)

// A folder is where an agent reads and writes files; empty: nowhere.
type folder string

// newFolder resolves the path of the given folder; empty is none.
func newFolder(path string) (folder, error) {
	if path == "" {
		return "", nil
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	if path, err = filepath.EvalSymlinks(path); err != nil {
		return "", err
	}
	st, err := os.Stat(path)
	if err == nil && !st.IsDir() {
		err = fmt.Errorf("%s is no folder", path)
	}
	if path == string(filepath.Separator) {
		err = errors.New("the folder / is all of the machine: name one within it")
	}
	return folder(path), err
}

// denied is the error of a path that an agent may not have.
func denied(form string, args ...any) error {
	return &wire.Error{Code: wire.CodeDenied, Message: fmt.Sprintf(form, args...)}
}

// path is the real path of a file that an agent names. It is within the folder, with all links
// resolved; of a file that is not there yet its parent is.
func (d folder) path(name string) (string, error) {
	switch {
	case d == "":
		return "", denied("%s: no folder was given to this agent, so it has no files; metalab mcp "+
			"-dir FOLDER gives one", clip(name))
	case name == "" || strings.ContainsRune(name, 0) || len(name) > maxPath:
		return "", denied("%q is no path: want 1 to %d characters", clip(name), maxPath)
	case strings.HasPrefix(name, "~"):
		return "", denied("%s: want a path within the folder %s", clip(name), d)
	}
	path := name
	if !filepath.IsAbs(path) {
		path = filepath.Join(string(d), path)
	}
	path = filepath.Clean(path)
	real, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		if _, lerr := os.Lstat(path); lerr == nil {
			return "", denied("%s is a link to nothing", clip(name))
		}
		var parent string
		if parent, err = filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
			real = filepath.Join(parent, filepath.Base(path))
		}
	}
	if err != nil || !d.holds(real) { // what is outside is not told, not even whether it is there
		if errors.Is(err, fs.ErrNotExist) && d.nears(path) {
			return "", denied("%s: there is no folder %s", clip(name), filepath.Dir(path))
		}
		return "", denied("%s is outside the folder of this agent, %s", clip(name), d)
	}
	return real, nil
}

// holds reports whether a path with its links resolved is within the folder.
func (d folder) holds(path string) bool {
	return strings.HasPrefix(path, strings.TrimSuffix(string(d), "/")+string(filepath.Separator))
}

// nears reports whether the nearest folder that is there above a path is within the folder, or is
// it.
func (d folder) nears(path string) bool {
	for at := filepath.Dir(path); len(at) > 1; at = filepath.Dir(at) {
		if _, err := os.Lstat(at); err != nil {
			continue
		}
		real, err := filepath.EvalSymlinks(at)
		return err == nil && (real == string(d) || d.holds(real))
	}
	return false
}

// writes is path for a file that is written, with what is written beside it.
func (d folder) writes(name string) (string, error) {
	path, err := d.path(name)
	if err != nil {
		return "", err
	}
	if _, err := d.path(solvers.StatePath(path)); err != nil {
		return "", err
	}
	return path, nil
}

// record is path for a record that is read: the data of its instance are within the folder, too,
// or have a published name.
func (d folder) record(name string) (string, error) {
	path, err := d.path(name)
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		if path, err = d.path(path + wire.RecordExt); err != nil {
			return "", err
		}
	}
	if _, err := d.path(solvers.StatePath(path)); err != nil {
		return "", err
	}
	f, err := os.Open(path)
	if err != nil {
		return "", &wire.Error{Code: wire.CodeFile, Message: fmt.Sprintf("%s: %v", clip(name), err)}
	}
	defer f.Close()
	line, err := bufio.NewReader(io.LimitReader(f, maxHeader)).ReadBytes('\n')
	if err != nil {
		return "", denied("%s is no record: its first line does not end within %d bytes", clip(name),
			maxHeader)
	}
	var head struct {
		Instance struct {
			Name string `json:"name"`
			Path string `json:"path"`
		} `json:"instance"`
	}
	if err := json.Unmarshal(line, &head); err != nil {
		return "", denied("%s is no record: %v", clip(name), err)
	}
	if at := head.Instance.Path; at != "" {
		if _, err := d.path(at); err != nil {
			return "", fmt.Errorf("the instance of the record %s: %w", clip(name), err)
		}
	} else if strings.ContainsAny(head.Instance.Name, `/\`) {
		return "", denied("the instance of the record %s has a name with a slash: %s", clip(name),
			clip(head.Instance.Name))
	}
	return path, nil
}

// fileName matches what is read as a file, wherever that is.
var fileName = regexp.MustCompile(`(?i)\.(a?tsp|dat|col|csv|tsv)(\.gz)?$`)

// isFile reports whether a text that may be the name of a run names a file.
func (d folder) isFile(name string) bool {
	if strings.ContainsAny(name, `/\~`) {
		return true
	}
	for _, ext := range []string{"", wire.RecordExt} {
		if _, err := os.Lstat(filepath.Join(string(d), name+ext)); d != "" && err == nil {
			return true
		}
	}
	return false
}

// instance is the name of an instance, or the real path of its file.
func (d folder) instance(name string) (string, error) {
	if d != "" {
		name = wire.AbsInstance(string(d), name)
	}
	if strings.ContainsAny(name, `/\~`) {
		return d.path(name)
	}
	if fileName.MatchString(name) {
		return "", denied("there is no file %s in the folder of this agent; a published instance is "+
			"named without an ending", clip(name))
	}
	return name, nil
}

// clip is a text of the agent's for a message.
func clip(s string) string {
	if len(s) > 80 {
		s = s[:80] + "…"
	}
	return strings.ToValidUTF8(s, "?")
}
