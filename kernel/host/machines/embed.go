package machines

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"metalab/solvers/experiment"
	"metalab/solvers/experiment/stream"
	"metalab/solvers/experiment/stream/broker"
)

// Environment variables of brokers that are not of this machine.
const (
	envToken = "METALAB_NATS_TOKEN" // a token
	envCreds = "METALAB_NATS_CREDS" // a file with credentials or the seed of an nkey
	envCA    = "METALAB_NATS_CA"    // a file with certificates that are trusted
)

// embed is the word for the broker of this machine.
const embed = "embed"

// saved is the broker of this machine: the file broker.json in the folder of state, which only the
// user can read. The next one takes the same port and token, so that workers find it again.
type saved struct {
	URL   string `json:"url"`
	Token string `json:"token"`
}

func savedPath(stateDir string) string { return filepath.Join(stateDir, "broker.json") }

// recall reads what was saved; the zero value where nothing was.
func recall(stateDir string) (s saved) {
	b, err := os.ReadFile(savedPath(stateDir))
	if err != nil || json.Unmarshal(b, &s) != nil || len(s.Token) < 16 {
		return saved{}
	}
	return s
}

func (s saved) keep(stateDir string) error {
	b, err := json.Marshal(s)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(stateDir, 0o700); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(stateDir, "broker-*") // of mode 0600
	if err != nil {
		return err
	}
	_, err = tmp.Write(b)
	if err = errors.Join(err, tmp.Close()); err == nil {
		err = os.Rename(tmp.Name(), savedPath(stateDir))
	}
	if err != nil {
		return errors.Join(err, os.Remove(tmp.Name()))
	}
	return nil
}

// own is the broker in this process.
var own struct {
	mu sync.Mutex
	b  *broker.Broker

	elsewhere bool // others may come: it takes users by their keys, and no token
}

// serve returns the address of this machine's broker: the one in this process, that of another
// session of the user, or a new one.
func serve(ctx context.Context, stateDir string, o broker.Options) (stream.Address, error) {
	own.mu.Lock()
	defer own.mu.Unlock()
	s := recall(stateDir)
	there := stream.Address{URL: s.URL, Token: s.Token}
	elsewhere := o.Host != "" && !stream.Loopback(o.Host) || o.Users != ""
	if own.b != nil {
		if o.Port > 0 {
			return there, fmt.Errorf("this session has a broker at %s, which ends with it", own.b.URL())
		}
		if own.elsewhere {
			_, port, _ := net.SplitHostPort(hostOf(own.b.URL()))
			scheme, _, _ := strings.Cut(own.b.URL(), ":")
			return there, fmt.Errorf("the broker of this session is for other users, too: want "+
				"over="+scheme+"://THIS-MACHINE:%s, with %s and %s in the environment", port, envCreds, envCA)
		}
		return there, nil
	}
	if s.URL != "" && !elsewhere && o.Port == 0 {
		if _, err := stream.Workers(ctx, there); err == nil {
			return there, nil
		}
		if u, err := url.Parse(s.URL); err == nil && u.Scheme == "nats" {
			o.Port, _ = strconv.Atoi(u.Port())
		}
	}
	if o.Token = s.Token; o.Token == "" {
		b := make([]byte, 16)
		_, _ = rand.Read(b) // never fails
		o.Token = hex.EncodeToString(b)
	}
	o.Dir = filepath.Join(stateDir, "broker")
	b, err := broker.Start(o)
	if err != nil && o.Port > 0 && s.URL != "" && !elsewhere { // the port is another program's now
		o.Port = 0
		b, err = broker.Start(o)
	}
	if err != nil {
		return there, err
	}
	own.b, own.elsewhere = b, elsewhere
	if elsewhere {
		return stream.Address{URL: b.URL(), Creds: os.Getenv(envCreds), CA: os.Getenv(envCA)}, nil
	}
	there = stream.Address{URL: b.URL(), Token: o.Token}
	return there, saved{there.URL, there.Token}.keep(stateDir)
}

// address is the broker of a word that is no embed: an address, with the token or the credentials
// of the environment, or of the file of this machine's broker.
func address(stateDir, word string) stream.Address {
	a := stream.Address{
		URL: word, Token: os.Getenv(envToken), Creds: os.Getenv(envCreds), CA: os.Getenv(envCA),
	}
	if u, err := url.Parse(word); err == nil && stream.Loopback(u.Hostname()) && a.Token == "" {
		if s := recall(stateDir); s.URL == u.Scheme+"://"+u.Host {
			a.Token = s.Token
		}
	}
	return a
}

// An embedded is a Fabric over the broker of this machine. That may be in another session of the
// user: when it ends with that, this one starts the next, at the same port and with the same token,
// and the units go on.
type embedded struct {
	stateDir string
	stream.Fabric
}

// Carry implements experiment.Fabric.
func (e *embedded) Carry(ctx context.Context, q experiment.Queue, o experiment.Options) error {
	lately.set(embed)
	watch, end := context.WithCancel(ctx)
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case <-watch.Done():
				return
			case <-time.After(2 * time.Second):
			}
			a, err := serve(watch, e.stateDir, broker.Options{})
			if err == nil && a != e.Address && o.Note != nil {
				o.Note("another program has the port of the broker: pause the experiment and let it go on")
			}
		}
	})
	defer wg.Wait()
	defer end()
	return e.Fabric.Carry(ctx, q, o)
}

// lately is the address of the broker that this process used last; empty: none, or its own.
var lately last

type last struct {
	mu   sync.Mutex
	word string
}

func (l *last) get() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.word
}

// set notes the word by which a broker was named.
func (l *last) set(word string) {
	if word == embed {
		word = ""
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.word = word
}

// A named is a Fabric over the broker of an address.
type named struct {
	word string
	stream.Fabric
}

// Carry implements experiment.Fabric.
func (n *named) Carry(ctx context.Context, q experiment.Queue, o experiment.Options) error {
	lately.set(n.word)
	return n.Fabric.Carry(ctx, q, o)
}

// over finds who makes units.
func over(stateDir, word string) (experiment.Fabric, error) {
	switch {
	case word == embed:
		a, err := serve(context.Background(), stateDir, broker.Options{})
		if err != nil {
			return nil, err
		}
		return &embedded{stateDir, stream.Fabric{Address: a}}, nil
	case strings.Contains(word, "://"):
		return &named{word, stream.Fabric{Address: address(stateDir, word)}}, nil
	}
	return nil, fmt.Errorf("%s is none, want local, embed, or nats://HOST:PORT", word)
}

// listenAt parts HOST:PORT.
func listenAt(s string) (host string, port int, err error) {
	if s == "" {
		return "", 0, nil
	}
	host, p, err := net.SplitHostPort(s)
	if err == nil {
		port, err = strconv.Atoi(p)
	}
	if err != nil || port < 1 || port > 65535 || host == "" {
		return "", 0, fmt.Errorf("listen is %s, want HOST:PORT, as 127.0.0.1:4222", s)
	}
	return host, port, nil
}
