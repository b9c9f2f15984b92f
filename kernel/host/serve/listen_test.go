package serve_test

import (
	"errors"
	"net"
	"os"
	"strings"
	"sync"
	"testing"

	"metalab/kernel/host/internal/hosttest"
	"metalab/kernel/host/serve"
	"metalab/kernel/wire"
)

func TestSocketRules(t *testing.T) {
	t.Parallel()
	dir := hosttest.Folder(t)
	path := dir + "/r/x.sock"
	// A folder that others may enter is refused.
	if err := os.Mkdir(dir+"/r", 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := serve.Listen(path); err == nil || !strings.Contains(err.Error(), "0755") {
		t.Errorf("a folder of mode 0755: %v", err)
	}
	if err := os.Chmod(dir+"/r", 0o700); err != nil {
		t.Fatal(err)
	}
	// A socket that nobody listens on is replaced.
	old, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	old.SetUnlinkOnClose(false)
	old.Close()
	release, err := serve.Listen(path)
	if err != nil {
		t.Fatalf("a stale socket: %v", err)
	}
	if st, err := os.Stat(path); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("the socket has mode %v, want 0600 (%v)", st.Mode(), err)
	}
	if _, err := serve.Listen(path); !errors.Is(err, serve.ErrTaken) {
		t.Errorf("a second host: %v", err)
	}
	release()
	if left, _ := os.ReadDir(dir + "/r"); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
	// Of many that race for one session, one wins, again and again.
	for range 20 {
		var wg sync.WaitGroup
		var mu sync.Mutex
		var won []func()
		for range 8 {
			wg.Go(func() {
				r, err := serve.Listen(path)
				if err == nil {
					mu.Lock()
					won = append(won, r)
					mu.Unlock()
				} else if !errors.Is(err, serve.ErrTaken) {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if len(won) != 1 {
			t.Fatalf("%d hosts won", len(won))
		}
		won[0]()
	}
}

func TestWhoMayTalk(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		peer, own int
		want      bool
	}{{1000, 1000, true}, {1001, 1000, false}, {0, 1000, true}, {1000, 0, false}, {0, 0, true}} {
		if got := wire.MayTalk(c.peer, c.own); got != c.want {
			t.Errorf("user %d to a host of user %d: %v", c.peer, c.own, got)
		}
	}
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: hosttest.Folder(t) + "/x", Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	c, err := net.Dial("unix", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	s, err := l.AcceptUnix()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if uid, err := serve.PeerUID(s); err != nil || uid != os.Getuid() {
		t.Errorf("the user at the other end is %d, want %d (%v)", uid, os.Getuid(), err)
	}
}
