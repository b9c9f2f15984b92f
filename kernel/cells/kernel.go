package cells

import (
	"context"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"metalab/kernel/wire"
)

// A Kernel is a notebook's kernel and its connection to the host of its session.
type Kernel struct {
	session  string
	patience time.Duration // time limit for the host's words in a completion

	// Widgets are the notebook's widgets.
	Widgets *Widgets

	// Interprets tells that cells are interpreted, so that GoNB's commands are not offered.
	Interprets bool

	listed   list          // names of instances
	kinds    atomic.Value  // their kinds, a map[string]string
	listWait time.Duration // how long a list is waited for where an older one is there

	mu     sync.Mutex
	client *wire.Client
}

// Here is the kernel that this process is.
var Here = prepared(os.Getenv(wire.EnvSession))

// prepared is a kernel of a session that asks in the background for what the first completion would
// otherwise wait for: the connection, and lists that the host makes at the first question.
func prepared(session string) *Kernel {
	k := New(session)
	if session != "" {
		go func() {
			k.variants("")
			k.instances()
		}()
	}
	return k
}

// New returns a kernel of the session whose socket lies at a path.
func New(session string) *Kernel {
	k := &Kernel{session: session, patience: wordsLimit, listWait: listWait}
	k.Widgets = newWidgets(k)
	return k
}

// host returns the connection, which it makes at the first use and after a loss.
func (k *Kernel) host(ctx context.Context) (*wire.Client, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.client == nil {
		c, err := wire.Dial(ctx, k.session, "kernel")
		if err != nil {
			return nil, err
		}
		k.client = c
	}
	return k.client, nil
}

// Close ends the connection.
func (k *Kernel) Close() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.client != nil {
		k.client.Close()
		k.client = nil
	}
}

// hostLimit is the time limit for the host's answer.
const hostLimit = 10 * time.Second
