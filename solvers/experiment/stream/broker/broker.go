package broker

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
	"regexp"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// Options say where a broker listens, and who may come.
type Options struct {
	Host  string // empty: 127.0.0.1
	Port  int    // -1 or 0: one that is free
	Token string // that clients must have; only where Host is this machine

	// Elsewhere these are needed, all three.
	Cert, Key string // paths of the certificate and its key, in PEM
	Users     string // path of a file with a line for each user: NAME PUBLIC-NKEY

	// Within is whether it listens nowhere, and is reached by InProcessConn alone.
	Within bool

	Dir    string // that the server may write to; it keeps nothing there
	Memory int64  // bytes that units and results may take; 0: 4 GB
}

// A Broker is a NATS server in this process.
type Broker struct {
	s    *server.Server
	addr string
}

// Start starts one. All that it keeps is in memory.
func Start(o Options) (*Broker, error) {
	so := &server.Options{
		ServerName: "metalab", Host: o.Host, Port: o.Port, NoLog: true, NoSigs: true, JetStream: true,
		StoreDir: o.Dir, JetStreamMaxMemory: o.Memory, JetStreamMaxStore: 64 << 20,
		MaxPayload: 1 << 20, NoSystemAccount: true, DontListen: o.Within,
	}
	if so.Host == "" {
		so.Host = "127.0.0.1"
	}
	if so.Port == 0 {
		so.Port = server.RANDOM_PORT
	}
	if so.JetStreamMaxMemory == 0 {
		so.JetStreamMaxMemory = 4 << 30
	}
	if err := secure(so, &o); err != nil {
		return nil, fmt.Errorf("broker: %w", err)
	}
	s, err := server.NewServer(so)
	if err != nil {
		return nil, fmt.Errorf("broker: %w", err)
	}
	s.Start()
	if !s.ReadyForConnections(10 * time.Second) {
		s.Shutdown()
		return nil, fmt.Errorf("broker: it cannot listen on %s port %d: is the port taken?", so.Host,
			so.Port)
	}
	for _, u := range so.Nkeys {
		acc, err := s.LookupAccount(u.Account.Name)
		if err == nil {
			err = acc.EnableJetStream(nil, nil)
		}
		if err != nil {
			s.Shutdown()
			return nil, fmt.Errorf("broker: user %s: %w", u.Account.Name, err)
		}
	}
	if o.Within {
		return &Broker{s, "nats://127.0.0.1:1"}, nil
	}
	a, ok := s.Addr().(*net.TCPAddr)
	if !ok {
		s.Shutdown()
		return nil, errors.New("broker: it listens nowhere")
	}
	scheme := "nats"
	if so.TLSConfig != nil {
		scheme = "tls"
	}
	return &Broker{s, fmt.Sprintf("%s://%s", scheme, a)}, nil
}

// secure says who may come: on this machine who has the token, or where users are named the key of
// one; from elsewhere by TLS who has the key of a user.
func secure(so *server.Options, o *Options) error {
	switch {
	case loopback(so.Host) && o.Users != "" && o.Cert == "" && o.Key == "":
		return takeUsers(so, o.Users) // also on a machine with several users
	case loopback(so.Host) && o.Users == "" && o.Cert == "" && o.Key == "":
		if len(o.Token) < 16 {
			return errors.New("it needs a token of at least 16 characters")
		}
		so.Authorization = o.Token
		return nil
	}
	if o.Cert == "" || o.Key == "" || o.Users == "" {
		return fmt.Errorf("it is to listen on %s, where others can reach it: that needs TLS (cert=FILE "+
			"key=FILE) and a file of users with their public nkeys (users=FILE)", so.Host)
	}
	pair, err := tls.LoadX509KeyPair(o.Cert, o.Key)
	if err != nil {
		return err
	}
	so.TLSConfig = &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}
	so.TLS, so.TLSTimeout = true, 5
	return takeUsers(so, o.Users)
}

// takeUsers lets those in who have the keys of a file of users.
func takeUsers(so *server.Options, path string) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if so.Nkeys, err = users(string(b)); err != nil {
		return err
	}
	known := map[string]*server.Account{}
	for _, u := range so.Nkeys {
		if known[u.Account.Name] == nil {
			known[u.Account.Name] = u.Account
			so.Accounts = append(so.Accounts, u.Account)
		}
		u.Account = known[u.Account.Name]
	}
	return nil
}

var user = regexp.MustCompile(`^([A-Za-z0-9_-]{1,64})\s+(U[A-Z2-7]{55})$`)

// users reads a file of users. Each name has an account, which sees nothing of the others.
func users(text string) (out []*server.NkeyUser, err error) {
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		m := user.FindStringSubmatch(line)
		if m == nil {
			return nil, fmt.Errorf("line %d of the users is %.80q, want a name and a public nkey, as "+
				"ada UABC…", i+1, line)
		}
		out = append(out, &server.NkeyUser{Nkey: m[2], Account: server.NewAccount(m[1])})
	}
	if len(out) == 0 {
		return nil, errors.New("the file of users names none")
	}
	return out, nil
}

// loopback reports whether a host is this machine by its name or number.
func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// URL is where it listens.
func (b *Broker) URL() string { return b.addr }

// InProcessConn is a connection to it within this process, without a socket.
func (b *Broker) InProcessConn() (net.Conn, error) { return b.s.InProcessConn() }

// Traffic is how many messages have come to it, and their bytes.
func (b *Broker) Traffic() (messages, size int64) {
	v, err := b.s.Varz(nil)
	if err != nil {
		return 0, 0
	}
	return v.InMsgs, v.InBytes
}

// Close ends it; what it kept is lost.
func (b *Broker) Close() {
	b.s.Shutdown()
	b.s.WaitForShutdown()
}
