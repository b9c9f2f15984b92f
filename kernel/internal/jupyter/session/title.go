package session

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// titleAge is how old a notebook's name may be before Jupyter is asked again: a notebook may be
// renamed while its kernel lives.
const titleAge = 10 * time.Second

// A titled knows what the notebook of a kernel is called, by which people find its session. Some
// Jupyters tell it to the kernel; others, as Notebook 6, know it only after the kernel was started,
// and are asked.
type titled struct {
	ctx        context.Context
	connection string // the path of the connection file
	jupyter    int    // Jupyter's process; 0: not known

	mu    sync.Mutex
	name  string
	asked time.Time
}

// newTitled begins with the name that Jupyter told when it started the kernel; empty: none.
func newTitled(ctx context.Context, c hostConfig) *titled {
	t := &titled{ctx: ctx, connection: c.Connection, jupyter: c.Jupyter}
	if filepath.Ext(c.Notebook) == ".ipynb" {
		t.name = c.Notebook
	}
	return t
}

// get returns the name that is known; Jupyter is asked meanwhile for the next time.
func (t *titled) get() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.jupyter != 0 && time.Since(t.asked) > titleAge {
		t.asked = time.Now()
		go t.ask()
	}
	return t.name
}

// ask asks Jupyter, and reports whether it told the name.
func (t *titled) ask() bool {
	name, err := titleFromJupyter(t.ctx, t.connection, t.jupyter)
	if err != nil {
		return false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.name = name
	return true
}

// learn asks some times after the kernel was started, for it is only then that Jupyter notes which
// notebook it belongs to.
func (t *titled) learn() {
	if t.jupyter == 0 {
		return
	}
	for wait := 500 * time.Millisecond; wait < time.Minute; wait *= 2 {
		select {
		case <-t.ctx.Done():
			return
		case <-time.After(wait):
		}
		if t.ask() {
			return
		}
	}
}

// titleFromJupyter asks the Jupyter of a process for the notebook of a kernel: its path below
// Jupyter's own folder. A file beside the connection file, which only the user can read, holds
// Jupyter's address and token.
func titleFromJupyter(ctx context.Context, connection string, pid int) (string, error) {
	var b []byte
	var err error
	for _, kind := range []string{"jpserver", "nbserver"} {
		path := filepath.Join(filepath.Dir(connection), fmt.Sprintf("%s-%d.json", kind, pid))
		if b, err = os.ReadFile(path); err == nil {
			break
		}
	}
	if err != nil {
		return "", err
	}
	var server struct{ URL, Token string }
	if err := json.Unmarshal(b, &server); err != nil {
		return "", fmt.Errorf("jupyter: of process %d: %w", pid, err)
	}
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet,
		strings.TrimSuffix(server.URL, "/")+"/api/sessions", nil)
	if err != nil {
		return "", err
	}
	if server.Token != "" {
		r.Header.Set("Authorization", "token "+server.Token)
	}
	// Nothing of it leaves for a proxy or for another address.
	client := &http.Client{
		Transport:     &http.Transport{Proxy: nil, DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	res, err := client.Do(r)
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return "", fmt.Errorf("jupyter: %s answers %s", r.URL.Redacted(), res.Status)
	}
	var sessions []struct {
		Path   string
		Kernel struct{ ID string }
	}
	if err := json.NewDecoder(io.LimitReader(res.Body, 1<<22)).Decode(&sessions); err != nil {
		return "", fmt.Errorf("jupyter: its sessions: %w", err)
	}
	for _, s := range sessions {
		if s.Path != "" && "kernel-"+s.Kernel.ID+".json" == filepath.Base(connection) {
			return s.Path, nil
		}
	}
	return "", fmt.Errorf("jupyter: none of %d sessions has this kernel", len(sessions))
}
