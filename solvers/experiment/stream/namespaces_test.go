package stream_test

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"metalab/solvers/experiment"
	"metalab/solvers/experiment/stream"
	"metalab/solvers/experiment/stream/broker"
)

// What processes in network namespaces are told.
const (
	envURL   = "METALAB_STREAM_URL"
	envCreds = "METALAB_STREAM_CREDS"
	envCA    = "METALAB_STREAM_CA"
	envToken = "METALAB_STREAM_TOKEN"
)

// cells are two network namespaces with a wire between them, as two machines have.
type cells struct {
	*testing.T
	near, far     string // their names
	nearIP, farIP string
}

// namespaces makes two, and skips the test where that is not allowed.
func namespaces(t *testing.T) *cells {
	t.Helper()
	id := os.Getpid() % 100_000
	c := &cells{
		t, fmt.Sprintf("mlnear%d", id), fmt.Sprintf("mlfar%d", id), "10.123.7.1", "10.123.7.2",
	}
	ip := func(words string) error {
		out, err := exec.Command("ip", strings.Fields(words)...).CombinedOutput()
		if err != nil {
			return fmt.Errorf("ip %s: %w: %s", words, err, out)
		}
		return nil
	}
	t.Cleanup(func() {
		for _, ns := range []string{c.near, c.far} {
			_ = ip("netns del " + ns) // it may not be there
		}
	})
	for i, words := range []string{
		"netns add " + c.near, "netns add " + c.far,
		fmt.Sprintf("link add mln%d netns %s type veth peer name mlf%d netns %s", id, c.near, id, c.far),
		fmt.Sprintf("-n %s addr add %s/24 dev mln%d", c.near, c.nearIP, id),
		fmt.Sprintf("-n %s addr add %s/24 dev mlf%d", c.far, c.farIP, id),
		fmt.Sprintf("-n %s link set mln%d up", c.near, id),
		fmt.Sprintf("-n %s link set mlf%d up", c.far, id),
		"-n " + c.near + " link set lo up", "-n " + c.far + " link set lo up",
	} {
		if err := ip(words); err != nil {
			if i < 3 {
				t.Skipf("this machine makes no network namespaces: %v", err)
			}
			t.Fatal(err)
		}
	}
	return c
}

// start starts this program in a namespace, with a role and what it is told; it ends with the test.
func (c *cells) start(ns, role string, env ...string) *joinedProcess {
	c.Helper()
	self, err := os.Executable()
	if err != nil {
		c.Fatal(err)
	}
	p := &joinedProcess{cmd: exec.Command("ip", "netns", "exec", ns, self)}
	p.cmd.Env = append(os.Environ(), append(env, envRole+"="+role)...)
	p.cmd.Stdout, p.cmd.Stderr = &p.out, &p.out
	if p.life, err = p.cmd.StdinPipe(); err != nil {
		c.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		c.Fatal(err)
	}
	c.Cleanup(func() {
		_ = p.cmd.Process.Kill()
		_ = p.cmd.Wait()
	})
	return p
}

// joinedProcess is one in a namespace.
type joinedProcess struct {
	cmd  *exec.Cmd
	life io.Closer
	out  bytes.Buffer
}

// wait returns what it printed when it has ended.
func (p *joinedProcess) wait(t *testing.T) string {
	t.Helper()
	ended := make(chan struct{})
	go func() { _ = p.cmd.Wait(); close(ended) }()
	select {
	case <-ended:
	case <-time.After(5 * time.Minute):
		_ = p.cmd.Process.Kill()
		<-ended
		t.Errorf("it does not end: %s", p.out.String())
	}
	return p.out.String()
}

// seedOf makes a user: the file of its seed, and the line of the file of users.
func seedOf(t *testing.T, dir, user string) (seed, line string) {
	t.Helper()
	k, err := nkeys.CreateUser()
	if err != nil {
		t.Fatal(err)
	}
	s, err := k.Seed()
	if err != nil {
		t.Fatal(err)
	}
	pub, err := k.PublicKey()
	if err != nil {
		t.Fatal(err)
	}
	seed = filepath.Join(dir, user+".nk")
	if err := os.WriteFile(seed, s, 0o600); err != nil {
		t.Fatal(err)
	}
	return seed, user + " " + pub + "\n"
}

// certificate makes a certificate of an address, which is its own authority.
func certificate(t *testing.T, dir, ip string) (cert, key string) {
	t.Helper()
	k, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "metalab"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.ParseIP(ip)}, IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, c, c, &k.PublicKey, k)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(k)
	if err != nil {
		t.Fatal(err)
	}
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	for path, b := range map[string]*pem.Block{
		cert: {Type: "CERTIFICATE", Bytes: der}, key: {Type: "PRIVATE KEY", Bytes: secret},
	} {
		if err := os.WriteFile(path, pem.EncodeToMemory(b), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return cert, key
}

// Between two machines, which network namespaces stand for: a broker with TLS and nkeys on one has
// the units made by a worker on the other, with the table that one machine makes. Who has another
// key, none, a token, or the key of another user is refused or sees nothing.
func TestTwoNamespaces(t *testing.T) {
	if testing.Short() {
		t.Skip("it makes network namespaces")
	}
	c := namespaces(t)
	dir := t.TempDir()
	cert, key := certificate(t, dir, c.nearIP)
	ada, adaLine := seedOf(t, dir, "ada")
	eve, eveLine := seedOf(t, dir, "eve")
	stranger, _ := seedOf(t, dir, "stranger")
	users := filepath.Join(dir, "users.txt")
	if err := os.WriteFile(users, []byte(adaLine+eveLine), 0o600); err != nil {
		t.Fatal(err)
	}
	url := fmt.Sprintf("tls://%s:4222", c.nearIP)
	with := func(creds string) []string {
		return []string{
			envURL + "=" + url, envCreds + "=" + creds, envCA + "=" + cert,
			envFile + "=" + filepath.Join(dir, "e.sqlite"), envName + "=far",
		}
	}
	c.start(c.near, "near-broker", envURL+"="+c.nearIP, envFile+"="+dir, envCreds+"="+users,
		envCA+"="+cert, envName+"="+key)
	c.start(c.far, "far-worker", with(ada)...)
	c.start(c.far, "far-worker", append(with(eve), envName+"=eve")...)
	got := c.start(c.near, "near-coordinator", with(ada)...).wait(t)
	table, ok := strings.CutPrefix(got, "workers: far\n")
	if !ok {
		t.Fatalf("the workers of ada: %.300s", got)
	}
	if want := local(t, plan(12)); table != want {
		t.Errorf("between two namespaces:\n%s\nhere:\n%s", table, want)
	}
	for _, x := range []struct {
		name, want string
		env        []string
	}{
		{"another key", "are not the broker's", with(stranger)},
		{"no key", "is on another machine: want tls://", with("")},
		{
			"no TLS", "is on another machine: want tls://",
			append(with(ada), envURL+"=nats://"+c.nearIP+":4222"),
		},
		{"a token", "Authorization Violation", with("")},
		{"an unknown certificate", "certificate signed by unknown authority", append(with(ada),
			envCA+"=")},
	} {
		role := "far-list"
		if x.name == "a token" {
			role = "far-token"
		}
		if got := c.start(c.far, role, x.env...).wait(t); !strings.Contains(got, x.want) {
			t.Errorf("%s: %s, want %s", x.name, got, x.want)
		}
	}
	// The other user sees the own workers alone, and cannot stop the first one's.
	got = c.start(c.far, "far-list", with(eve)...).wait(t)
	if !strings.Contains(got, "workers: eve\n") || !strings.Contains(got, "there is no worker far") {
		t.Errorf("another user: %s", got)
	}
}

// A process that has another token than the broker's, or none, is refused by a broker of this
// machine: it lists no workers, tells none to end, has nothing made, and does not join. The one
// that has the token does.
func TestWrongTokenOfProcess(t *testing.T) {
	b := start(t, 0)
	work(t, &stream.Worker{Address: address(b), Name: "far", Cores: 1})
	self := func(role, token string) string {
		p := &joinedProcess{}
		exe, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		p.cmd = exec.Command(exe)
		p.cmd.Env = append(os.Environ(), envRole+"="+role, envURL+"="+b.URL(), envToken+"="+token,
			envName+"=mallory")
		p.cmd.Stdout, p.cmd.Stderr = &p.out, &p.out
		if p.life, err = p.cmd.StdinPipe(); err == nil {
			err = p.cmd.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		return p.wait(t)
	}
	for _, token := range []string{"", "x", secret[1:], secret + "0", strings.ToUpper(secret)} {
		for _, role := range []string{"far-list", "far-worker", "far-once"} {
			got := self(role, token)
			if !strings.Contains(got, "are not the broker's") || strings.Contains(got, secret) {
				t.Errorf("%s with token %q: %s", role, token, got)
			}
		}
	}
	all, err := stream.Workers(t.Context(), address(b))
	if err != nil || names(all) != "far" || all[0].Made > 0 {
		t.Errorf("after all were refused: %v %+v", err, all)
	}
	if got := self("far-list", secret); got != "workers: far\n" {
		t.Errorf("with the token: %q", got)
	}
}

// playFar is the part of a process in a namespace.
func playFar(role string) error {
	a := stream.Address{
		URL: os.Getenv(envURL), Creds: os.Getenv(envCreds), CA: os.Getenv(envCA),
		Token: os.Getenv(envToken),
	}
	ctx := context.Background()
	switch role {
	case "near-broker":
		return farBroker()
	case "far-worker":
		w := &stream.Worker{Address: a, Name: os.Getenv(envName), Cores: 1, Timing: quick}
		return w.Run(ctx)
	case "far-token": // of somebody who has no key, and sends what our own client does not
		nc, err := nats.Connect(a.URL, nats.Token(secret), nats.RootCAs(a.CA))
		if err == nil {
			nc.Close()
		}
		return err
	case "far-list":
		all, err := stream.Workers(ctx, a)
		if err != nil {
			return err
		}
		fmt.Printf("workers: %s\n", names(all))
		return stream.Order(ctx, a, "far", stream.Stop)
	}
	return farCoordinator(ctx, a, role == "far-once")
}

// farBroker is the broker of the near machine, for the users of a file.
func farBroker() error {
	_, err := broker.Start(broker.Options{
		Host: os.Getenv(envURL), Port: 4222, Cert: os.Getenv(envCA), Key: os.Getenv(envName),
		Users: os.Getenv(envCreds), Dir: os.Getenv(envFile),
	})
	if err != nil {
		return err
	}
	select {}
}

func names(all []stream.Member) string {
	var out []string
	for i := range all {
		out = append(out, all[i].Name)
	}
	return strings.Join(out, " ")
}

// farCoordinator runs an experiment, and prints the workers and the table; once waits for no
// broker.
func farCoordinator(ctx context.Context, a stream.Address, once bool) error {
	s := &experiment.Memory{}
	p := plan(12)
	units, err := p.Units(ctx, load)
	if err != nil {
		return err
	}
	if _, err := s.Add(ctx, "e1", p, units); err != nil {
		return err
	}
	for deadline := time.Now().Add(5 * time.Minute); ; time.Sleep(100 * time.Millisecond) {
		f := &stream.Fabric{Address: a, Timing: quick}
		info, err := experiment.Make(ctx, s, "e1", experiment.Options{Load: load, Over: f})
		if err == nil && info.Left() == 0 {
			break
		}
		if once || time.Now().After(deadline) { // the broker may not listen yet
			return fmt.Errorf("%d units are left: %w", info.Left(), err)
		}
	}
	all, err := stream.Workers(ctx, a)
	if err != nil {
		return err
	}
	text, err := tableOf(ctx, s)
	fmt.Printf("workers: %s\n%s", names(all), text)
	return err
}
