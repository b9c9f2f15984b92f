package host

import (
	"io"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"metalab/kernel/wire"
)

// Options are the settings of a host. The zero value of every field except Session is usable.
type Options struct {
	// Session is the name under which clients find the host.
	Session string `json:"session"`

	// Socket is the path of its socket; empty: wire.SocketPath(Session).
	Socket string `json:"socket,omitempty"`

	// StateDir is the folder of autosaves and logs; empty: DefaultStateDir().
	StateDir string `json:"state_dir,omitempty"`

	// InMemory stores nothing on disk: runs are not autosaved, and are lost with the host. Use it
	// where there is no disk, such as in a page of a browser.
	InMemory bool `json:"-"`

	// Note is a sentence that clients get with the host's hello, for people.
	Note string `json:"note,omitempty"`

	// Notebook is the path of the notebook whose session it is; empty for a session without a
	// notebook. Autosaves of this notebook's earlier sessions are offered first.
	Notebook string `json:"notebook,omitempty"`

	// Title returns what the session's notebook is called now, by which people find the session;
	// nil: it is Notebook.
	Title func() string `json:"-"`

	// Detached keeps the host running without the front end that started it.
	Detached bool `json:"detached,omitempty"`

	// Idle is how long a detached host waits, without clients and stepping runs, before it ends; 0:
	// DefaultIdle.
	Idle time.Duration `json:"idle,omitempty"`

	// AutosaveEvery is the time between two autosaves of a run; 0: 2 s.
	AutosaveEvery time.Duration `json:"autosave_every,omitempty"`

	// EnterWait is how long a client waits until a page that it showed has entered; 0: 2 s.
	EnterWait time.Duration `json:"enter_wait,omitempty"`

	// Again lets the host execute its program again, with the same arguments, if a GPU failed in a
	// way that only a new process can use it. The program must then call serve.Serve with the
	// same session, which continues with the runs in the state that they had. serve.Start sets it.
	Again bool `json:"-"`

	// Lifeline ends the host when a read from it returns an error or its end, unless the host is
	// detached then. serve.Start sets it; nil: none.
	Lifeline io.Reader `json:"-"`

	// Log receives a line for each important event; nil: no log.
	Log io.Writer `json:"-"`

	// Ready is called when clients can connect; nil: nothing.
	Ready func() `json:"-"`

	// Display replaces what a cell of the session's notebook displayed under an id, by media
	// type; nil: the host has no notebook.
	Display func(id string, forms map[string]string) `json:"-"`
}

// DefaultIdle is how long a detached host waits for a client.
const DefaultIdle = 30 * time.Minute

// EnvState is the environment variable that replaces the folder of state.
const EnvState = "METALAB_STATE"

// DefaultStateDir is the folder of autosaves and logs: METALAB_STATE, else
// $XDG_STATE_HOME/metalab, else ~/.local/state/metalab (on darwin
// ~/Library/Application Support/metalab), else a folder beside the sockets.
func DefaultStateDir() string {
	if d := os.Getenv(EnvState); d != "" {
		if abs, err := filepath.Abs(d); err == nil { // programs are started in other folders
			return abs
		}
		return d
	}
	if d := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(d) {
		return filepath.Join(d, "metalab")
	}
	if runtime.GOOS == "darwin" {
		if d, err := os.UserConfigDir(); err == nil {
			return filepath.Join(d, "metalab")
		}
	}
	if d, err := os.UserHomeDir(); err == nil {
		return filepath.Join(d, ".local", "state", "metalab")
	}
	return filepath.Join(wire.Dir(), "state")
}

// Fill checks the settings and replaces zeros by defaults.
func (o *Options) Fill() error {
	if err := wire.CheckSession(o.Session); err != nil {
		return err
	}
	if o.Socket == "" {
		o.Socket = o.Session
	}
	var err error
	if o.Socket, err = wire.SocketPath(o.Socket); err != nil {
		return err
	}
	if o.StateDir == "" {
		o.StateDir = DefaultStateDir()
	}
	if o.Idle <= 0 {
		o.Idle = DefaultIdle
	}
	if o.EnterWait <= 0 {
		o.EnterWait = 2 * time.Second
	}
	if o.Log == nil {
		o.Log = io.Discard
	}
	return nil
}
