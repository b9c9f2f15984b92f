package session

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"metalab/kernel/host"
	"metalab/kernel/internal/jupyter"
	"metalab/kernel/internal/jupyter/build"
	"metalab/kernel/internal/jupyter/command"
	"metalab/kernel/lab/front"
	"metalab/kernel/wire"
)

// Run is what Jupyter starts: it opens a session and becomes GoNB, so that the
// process that Jupyter knows, signals and waits for is GoNB itself.
func Run(_ context.Context, args []string) error {
	fs := flag.NewFlagSet("run", flag.ContinueOnError)
	gonb := fs.String("gonb", "gonb", "the `program` GoNB")
	module := fs.String("module", "", "the `folder` of metalab")
	sources := fs.String("sources", "", "the `hash` of the sources that this program was built from")
	bare := fs.Bool("no-prelude", false, "do not import lab before the first cell")
	if err := command.Parse(fs, args, 1); err != nil {
		return err
	}
	if fs.NArg() != 1 {
		return errors.New("which connection file? Jupyter names it; people want: kernel exec " +
			"notebook.ipynb")
	}
	connection, err := filepath.Abs(fs.Arg(0))
	if err != nil {
		return err
	}
	program, err := exec.LookPath(*gonb)
	if err != nil {
		return fmt.Errorf("%w; put the kernel together anew: go run ./kernel install", err)
	}
	c, err := Open(connection, !*bare, build.Edited(*module, jupyter.BuiltFrom(*sources)))
	if err != nil {
		return err
	}
	// GoNB's log goes into the session's folder: Jupyter's own terminal is for people.
	argv := []string{
		program, "--kernel", connection, "-raw_error=true", "-go_work=" + jupyter.LinkedModule(*module),
		"-logtostderr=false", "-stderrthreshold=FATAL", "-log_dir=" + c.Dir,
	}
	// Set, not appended: of two of a name a program may take the first.
	for name, value := range map[string]string{
		wire.EnvSession: c.Socket, "TMPDIR": c.Dir, front.EnvSaid: filepath.Join(c.Dir, "said"),
	} {
		if err := os.Setenv(name, value); err != nil {
			return err
		}
	}
	return fmt.Errorf("%s: %w", program, syscall.Exec(program, argv, os.Environ()))
}

// Open opens the session of the kernel that this process is, or becomes: it makes a folder for
// temporary files, and starts the host. With prelude the host imports lab before the first cell;
// note is for who opens the notebook.
func Open(connection string, prelude bool, note string) (*Opened, error) {
	removeStale()
	dir, err := os.MkdirTemp("", dirPattern) // with mode 0700
	if err != nil {
		return nil, err
	}
	c := hostConfig{
		Session:  jupyter.SessionName(os.Getenv("JPY_SESSION_NAME"), os.Getpid()),
		Notebook: jupyter.NotebookPath(), Dir: dir, Connection: connection, Kernel: os.Getpid(),
		Prelude: prelude, Note: note,
	}
	// Only a kernel whose parent says so ends with it: one that was started by hand may
	// well live on without its shell.
	if os.Getenv("JPY_PARENT_PID") == strconv.Itoa(os.Getppid()) {
		c.Jupyter = os.Getppid()
	}
	if c.Socket, err = wire.SocketPath(c.Session); err == nil {
		err = startHost(c)
	}
	if err != nil {
		os.RemoveAll(dir)
		return nil, err
	}
	return &Opened{Socket: c.Socket, Dir: dir}, nil
}

// Opened is a session of a kernel.
type Opened struct {
	Socket string // of the host
	Dir    string // for temporary files; the host removes it when the kernel has ended
}

// A hostConfig is the configuration of the host beside a kernel.
type hostConfig struct {
	Session    string `json:"session"`
	Notebook   string `json:"notebook"`
	Socket     string `json:"socket"`
	Dir        string `json:"dir"`               // the session's folder of temporary files
	Connection string `json:"connection"`        // the connection file of the kernel
	Kernel     int    `json:"kernel"`            // its process, the host's parent
	Jupyter    int    `json:"jupyter,omitempty"` // the process with which the kernel ends
	Prelude    bool   `json:"prelude"`
	Note       string `json:"note,omitempty"` // for who opens the notebook
}

// startHost starts the host beside this process and returns when it can be reached.
func startHost(c hostConfig) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	config, err := json.Marshal(c)
	if err != nil {
		return err
	}
	log, err := openLog(c.Session)
	if err != nil {
		return err
	}
	defer log.Close()
	ready, readyWrite, err := os.Pipe()
	if err != nil {
		return err
	}
	defer ready.Close()
	cmd := exec.Command(self, "host", string(config))
	cmd.Stdout, cmd.Stderr = log, log
	cmd.Dir = "/" // not to hold a folder that the user may want to remove
	cmd.Env = append(os.Environ(), "METALAB_DATA="+absoluteList(os.Getenv("METALAB_DATA")))
	cmd.ExtraFiles = []*os.File{readyWrite}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // out of reach of the terminal's ^C
	err = cmd.Start()
	readyWrite.Close()
	if err != nil {
		return err
	}
	_ = ready.SetReadDeadline(time.Now().Add(50 * time.Second))
	line, _ := bufio.NewReader(ready).ReadString('\n')
	if line != "ready\n" {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if line = strings.TrimSpace(line); line == "" {
			line = "it ended at once, or is very slow; see " + log.Name()
		}
		return fmt.Errorf("the host of the session: %s", line)
	}
	return nil
}

// openLog opens the log of a session, and removes the logs that nobody will ask for any
// more.
func openLog(session string) (*os.File, error) {
	dir := filepath.Join(host.DefaultStateDir(), "log")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	old, _ := filepath.Glob(filepath.Join(dir, "*.log"))
	for _, p := range old {
		if st, err := os.Stat(p); err == nil && time.Since(st.ModTime()) > 30*24*time.Hour {
			_ = os.Remove(p)
		}
	}
	return os.OpenFile(filepath.Join(dir, session+".log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
}

// absoluteList makes the folders of a list absolute, for the host works in another one.
func absoluteList(list string) string {
	dirs := filepath.SplitList(list)
	for i, d := range dirs {
		if a, err := filepath.Abs(d); err == nil && d != "" {
			dirs[i] = a
		}
	}
	return strings.Join(dirs, string(filepath.ListSeparator))
}
