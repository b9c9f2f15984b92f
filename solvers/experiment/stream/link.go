package stream

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Timing are the times of the exchange; the zero value is DefaultTiming.
type Timing struct {
	AckWait time.Duration // after which another worker gets a unit that was not renewed
	Renew   time.Duration // between renewals of a unit under way
	Hello   time.Duration // between a worker's reports about itself; it is gone after 3.5 times that
	Check   time.Duration // between looks whether all that is wanted is there
}

// DefaultTiming is the timing of programs; tests have shorter times.
var DefaultTiming = Timing{
	AckWait: 30 * time.Second, Renew: 10 * time.Second, Hello: 10 * time.Second,
	Check: 5 * time.Second,
}

func (t Timing) orDefault() Timing {
	if t == (Timing{}) {
		return DefaultTiming
	}
	return t
}

// An Address is a broker, and how it knows who comes.
type Address struct {
	URL   string // nats://HOST:PORT or tls://HOST:PORT, followed by /USER for a user's own subjects
	Token string // of a broker on this machine
	Creds string // path of a credentials file, or of the seed of an nkey
	CA    string // path of certificates that are trusted beside the system's

	within nats.InProcessConnProvider // the broker in this process, which needs no socket then
}

// DefaultUser is part of the subjects where an address names no user.
const DefaultUser = "lab"

// parse checks an address, and parts the user from it.
func (a Address) parse() (where, user string, options []nats.Option, err error) {
	u, err := url.Parse(a.URL)
	if err != nil || u.Hostname() == "" || u.RawQuery != "" ||
		u.Scheme != "nats" && u.Scheme != "tls" {
		return "", "", nil, fmt.Errorf("the broker is %.100q, want nats://HOST:PORT or tls://HOST:PORT",
			redacted(a.URL))
	}
	user = strings.Trim(u.Path, "/")
	if user == "" {
		user = DefaultUser
	}
	if !name.MatchString(user) {
		return "", "", nil, fmt.Errorf("the user in the broker's address is %.80q, want 1 to 64 "+
			"letters, digits, - and _", user)
	}
	if u.User != nil { // others would read it in the list of processes, in scripts and histories
		return "", "", nil, errors.New("the broker's address has a token or a password: it belongs " +
			"into METALAB_NATS_TOKEN or a credentials file")
	}
	if !Loopback(u.Hostname()) && (u.Scheme != "tls" || a.Creds == "") {
		return "", "", nil, fmt.Errorf("the broker %s is on another machine: want tls://%s and a "+
			"credentials file or the seed of an nkey (creds=FILE); a tunnel of ssh makes it 127.0.0.1",
			u.Host, u.Host)
	}
	options = []nats.Option{
		nats.Name("metalab"), nats.MaxReconnects(-1),
		nats.ReconnectWait(250 * time.Millisecond), nats.ReconnectJitter(50*time.Millisecond,
			200*time.Millisecond), nats.Timeout(5 * time.Second), nats.PingInterval(10 * time.Second),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}), // else it prints them
		nats.ReconnectBufSize(-1), // what is sent to no broker is an error
	}
	if a.within != nil {
		options = append(options, nats.InProcessServer(a.within))
	}
	if a.Token != "" {
		options = append(options, nats.Token(a.Token))
	}
	if a.Creds != "" {
		o, err := credentials(a.Creds)
		if err != nil {
			return "", "", nil, err
		}
		options = append(options, o)
	}
	if u.Scheme == "tls" {
		c := &tls.Config{MinVersion: tls.VersionTLS12}
		if a.CA != "" {
			pem, err := os.ReadFile(a.CA)
			if err != nil {
				return "", "", nil, err
			}
			c.RootCAs, err = x509.SystemCertPool()
			if err != nil {
				c.RootCAs = x509.NewCertPool()
			}
			if !c.RootCAs.AppendCertsFromPEM(pem) {
				return "", "", nil, fmt.Errorf("%s holds no certificates in PEM", a.CA)
			}
		}
		options = append(options, nats.Secure(c))
	} else { // what a cluster behind a tunnel tells of its servers would get the token unencrypted
		options = append(options, nats.IgnoreDiscoveredServers())
	}
	return u.Scheme + "://" + u.Host, user, options, nil
}

// credentials is the option of a file with credentials or with the seed of an nkey.
func credentials(path string) (nats.Option, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if st, err := os.Stat(path); err == nil && st.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("%s can be read by others (mode %o), want 0600", path, st.Mode().Perm())
	}
	if strings.Contains(string(b), "BEGIN NATS USER JWT") {
		return nats.UserCredentials(path), nil
	}
	return nats.NkeyOptionFromSeed(path)
}

// Loopback reports whether a host is this machine by its name or number.
func Loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// redacted is an address without what comes before its @.
func redacted(s string) string {
	scheme, rest, ok := strings.Cut(s, "://")
	if !ok {
		scheme, rest = "", s
	}
	if i := strings.LastIndex(rest, "@"); i >= 0 {
		rest = rest[i+1:]
	}
	if !ok {
		return rest
	}
	return scheme + "://" + rest
}

// A link is a connection to a broker, restored after a loss.
type link struct {
	nc    *nats.Conn
	js    jetstream.JetStream
	user  string
	where string
	t     Timing
}

// dial connects to a broker. With waits it tries again where there is none yet, and calls waits
// after the first try.
func dial(ctx context.Context, a Address, t Timing, waits func(error)) (*link, error) {
	where, user, options, err := a.parse()
	if err != nil {
		return nil, fmt.Errorf("stream: %w", err)
	}
	var nc *nats.Conn
	for said := false; ; said = true {
		nc, err = nats.Connect(where, options...)
		if err == nil || waits == nil || !passes(err) {
			break
		}
		if !said {
			waits(err)
		}
		if err := pause(ctx, time.Second/2); err != nil {
			return nil, err
		}
	}
	if err != nil {
		return nil, fmt.Errorf("stream: broker %s: %w%s", where, err, hint(err))
	}
	js, err := jetstream.New(nc, jetstream.WithDefaultTimeout(5*time.Second))
	if err != nil {
		nc.Close()
		return nil, fmt.Errorf("stream: broker %s: %w", where, err)
	}
	return &link{nc, js, user, where, t.orDefault()}, nil
}

// passes reports whether an error of connecting means that a broker is not up yet, or is ending.
func passes(err error) bool {
	var n net.Error
	return errors.Is(err, nats.ErrNoServers) || errors.Is(err, nats.ErrTimeout) ||
		errors.Is(err, nats.ErrStaleConnection) || errors.Is(err, io.EOF) || errors.As(err, &n)
}

// hint says what to do about an error of connecting; empty where that is plain.
func hint(err error) string {
	switch {
	case errors.Is(err, nats.ErrAuthorization), errors.Is(err, nats.ErrAuthExpired):
		return ": the token or the credentials are not the broker's; workers tells the line to type"
	case errors.Is(err, nats.ErrNoServers):
		return ": nothing listens there"
	}
	return ""
}

func (l *link) close() { l.nc.Close() }

// closed returns why a connection was abandoned.
func (l *link) closed() error {
	err := cmp.Or(l.nc.LastError(), nats.ErrConnectionClosed)
	return fmt.Errorf("%w%s", err, hint(err))
}

// The subjects of a user.
func (l *link) subject(parts ...string) string {
	return "metalab." + l.user + "." + strings.Join(parts, ".")
}

func (l *link) bucket(what string) string { return "metalab_" + l.user + "_" + what }

// unit returns the subject of a unit: the broker holds at most one message of each.
func (l *link) unit(kind, key string) string { return l.subject("unit", token(kind), key) }

// A namespace is a user's part of a broker: the stream of waiting and running units, the names of
// results, the objects with results and instances, and the workers.
type namespace struct {
	stream  jetstream.Stream
	name    string // of the stream: another one after the broker was lost
	results jetstream.KeyValue
	objects jetstream.ObjectStore
	workers jetstream.KeyValue
}

// Times after which a broker forgets what nobody fetches.
const (
	keepResults = 24 * time.Hour
	keepObjects = 24 * time.Hour
)

// open returns what the broker keeps; errAbsent where nobody has asked for anything yet.
func (l *link) open(ctx context.Context) (p *namespace, err error) {
	p = &namespace{}
	if p.name, err = l.js.StreamNameBySubject(ctx, l.subject("unit", ">")); err != nil {
		return nil, err
	}
	if p.stream, err = l.js.Stream(ctx, p.name); err != nil {
		return nil, err
	}
	if p.results, err = l.js.KeyValue(ctx, l.bucket("results")); err != nil {
		return nil, err
	}
	if p.workers, err = l.js.KeyValue(ctx, l.bucket("workers")); err != nil {
		return nil, err
	}
	p.objects, err = l.js.ObjectStore(ctx, l.bucket("objects"))
	return p, err
}

// absent reports whether an error says that a broker keeps nothing of the user yet, or no more.
func absent(err error) bool {
	return errors.Is(err, jetstream.ErrStreamNotFound) ||
		errors.Is(err, jetstream.ErrBucketNotFound) || errors.Is(err, jetstream.ErrConsumerNotFound)
}

// make creates what the broker lacks, all of it in memory: the plan suffices to create it again.
func (l *link) make(ctx context.Context) (*namespace, error) {
	storage := jetstream.MemoryStorage
	_, err := l.js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{
		Bucket: l.bucket("results"), TTL: keepResults, Storage: storage,
	})
	if err == nil {
		_, err = l.js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{
			Bucket: l.bucket("workers"), TTL: l.t.Hello * 7 / 2, Storage: storage,
		})
	}
	if err == nil {
		_, err = l.js.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{
			Bucket: l.bucket("objects"), TTL: keepObjects, Storage: storage,
		})
	}
	if err == nil {
		_, err = l.js.StreamNameBySubject(ctx, l.subject("unit", ">"))
	}
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		// Its name is new each time: an acknowledgement that a worker sends late, of a broker that
		// was lost, then takes no other unit out.
		_, err = l.js.CreateStream(ctx, jetstream.StreamConfig{
			Name:      fmt.Sprintf("metalab_%s_units_%s", l.user, nonce()),
			Subjects:  []string{l.subject("unit", ">")},
			Retention: jetstream.WorkQueuePolicy, Storage: storage,
			MaxMsgsPerSubject: 1, Discard: jetstream.DiscardNew, DiscardNewPerSubject: true,
		})
	}
	p, again := l.open(ctx) // of another coordinator where that was quicker
	if again != nil {
		return nil, fmt.Errorf("stream: broker %s: %w", l.where, errors.Join(err, again))
	}
	return p, nil
}

// pause waits, unless ctx ends.
func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
