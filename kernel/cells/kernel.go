package cells

import (
	"context"
	"os"
	"sync"
	"time"

	"metalab/kernel/wire"
)

// A Kernel is a notebook's kernel and its connection to the host of its session.
type Kernel struct {
	session  string
	patience time.Duration // how long the host may take over the words of a completion

	// Widgets are the notebook's widgets.
	Widgets *Widgets

	mu     sync.Mutex
	client *wire.Client
}

// Here is the kernel that this process is.
var Here = New(os.Getenv(wire.EnvSession))

// New returns a kernel of the session whose socket lies at a path.
func New(session string) *Kernel {
	k := &Kernel{session: session, patience: wordsLimit}
	k.Widgets = newWidgets(k)
	return k
}

// host returns the connection, which is made at the first need and after it was lost.
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

// hostLimit is how long the host may take to answer.
const hostLimit = 10 * time.Second
