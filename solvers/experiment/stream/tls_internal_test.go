package stream

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nkeys"

	"metalab/solvers/experiment/stream/broker"
)

// certificate writes one for this machine, and its key.
func certificate(t *testing.T, dir string) (cert, key string) {
	t.Helper()
	k, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "metalab"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, c, c, &k.PublicKey, k)
	if err != nil {
		t.Fatal(err)
	}
	priv, err := x509.MarshalECPrivateKey(k)
	if err != nil {
		t.Fatal(err)
	}
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	for path, b := range map[string]*pem.Block{
		cert: {Type: "CERTIFICATE", Bytes: der}, key: {Type: "EC PRIVATE KEY", Bytes: priv},
	} {
		if err := os.WriteFile(path, pem.EncodeToMemory(b), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return cert, key
}

// seedOf makes an nkey, and writes its seed.
func seedOf(t *testing.T, dir, name string) (path, public string) {
	t.Helper()
	k, err := nkeys.CreateUser()
	if err != nil {
		t.Fatal(err)
	}
	seed, err := k.Seed()
	if err != nil {
		t.Fatal(err)
	}
	if public, err = k.PublicKey(); err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(dir, name+".nk")
	if err := os.WriteFile(path, seed, 0o600); err != nil {
		t.Fatal(err)
	}
	return path, public
}

// A broker that others can reach takes users by their nkeys over TLS; one sees nothing of another,
// whatever user the address names.
func TestUsers(t *testing.T) {
	dir := t.TempDir()
	cert, key := certificate(t, dir)
	ada, adaKey := seedOf(t, dir, "ada")
	bob, bobKey := seedOf(t, dir, "bob")
	eve, _ := seedOf(t, dir, "eve")
	users := filepath.Join(dir, "users")
	text := fmt.Sprintf("# who\nada %s\nbob %s\n", adaKey, bobKey)
	if err := os.WriteFile(users, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	b, err := broker.Start(broker.Options{
		Host: "0.0.0.0", Cert: cert, Key: key, Users: users, Dir: dir,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	_, port, _ := strings.Cut(strings.TrimPrefix(b.URL(), "tls://"), "]:")
	if port == "" {
		_, port, _ = strings.Cut(strings.TrimPrefix(b.URL(), "tls://"), ":")
	}
	at := func(creds string) Address {
		return Address{URL: "tls://127.0.0.1:" + port, Creds: creds, CA: cert}
	}
	units := unitsOf(t, 3)
	s := newScene(t, units) // its own broker is not used
	s.a = at(ada)
	s.ask()
	s.join("w")
	if err := s.result(); err != nil {
		t.Fatal(err)
	}
	all, err := Workers(t.Context(), at(ada))
	if err != nil || len(all) != 1 {
		t.Errorf("ada sees %v %v", all, err)
	}
	all, err = Workers(t.Context(), at(bob))
	if err != nil || len(all) != 0 {
		t.Errorf("bob sees %v %v", all, err)
	}
	if err := Order(t.Context(), at(bob), "w", Stop); err == nil {
		t.Error("bob stops a worker of ada")
	}
	if _, err := Workers(t.Context(), at(eve)); err == nil {
		t.Error("eve is let in")
	}
	a := at(ada)
	a.CA = ""
	if _, err := Workers(t.Context(), a); err == nil {
		t.Error("a certificate of nobody is taken")
	}
	if err := os.Chmod(ada, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Workers(t.Context(), at(ada)); err == nil || !strings.Contains(err.Error(), "0600") {
		t.Errorf("a seed that all can read: %v", err)
	}
}

// Who has another token, or is to listen or connect elsewhere without keys, is refused.
func TestDoor(t *testing.T) {
	s := newScene(t, unitsOf(t, 1))
	for _, c := range []struct {
		a    Address
		want string
	}{
		{Address{URL: s.a.URL, Token: "another"}, "the token or the credentials are not the broker's"},
		{Address{URL: s.a.URL}, "the token or the credentials are not the broker's"},
		{Address{URL: "nats://10.1.2.3:4222", Token: testToken}, "want tls://10.1.2.3:4222"},
		{Address{URL: "tls://10.1.2.3:4222", Token: testToken}, "credentials"},
		{Address{URL: "http://127.0.0.1:1"}, "want nats://"},
		{Address{URL: "nats://a:secretword@127.0.0.1:1"}, "has a token or a password"},
		{Address{URL: s.a.URL + "/a.>", Token: testToken}, "the user"},
		{Address{URL: "nats://secretword@127.0.0.1:1"}, "has a token or a password"},
		{Address{URL: "nats://secretword@:"}, "the broker is"},
	} {
		_, err := Workers(t.Context(), c.a)
		if err == nil || !strings.Contains(err.Error(), c.want) ||
			strings.Contains(err.Error(), "secretword") {
			t.Errorf("%s: %v, want %s", c.a.URL, err, c.want)
		}
	}
	for _, o := range []broker.Options{
		{Host: "0.0.0.0", Token: testToken}, {Host: "192.0.2.1", Token: testToken}, {Token: "short"},
	} {
		if b, err := broker.Start(o); err == nil {
			b.Close()
			t.Errorf("%+v: it starts", o)
		}
	}
}

// On this machine users with nkeys need no TLS; who has none, or only a token, is refused.
func TestUsersHere(t *testing.T) {
	dir := t.TempDir()
	ada, adaKey := seedOf(t, dir, "ada")
	eve, _ := seedOf(t, dir, "eve")
	users := filepath.Join(dir, "users")
	if err := os.WriteFile(users, []byte("ada "+adaKey+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	b, err := broker.Start(broker.Options{Users: users, Token: testToken, Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	if _, err := Workers(t.Context(), Address{URL: b.URL(), Creds: ada}); err != nil {
		t.Error(err)
	}
	for _, a := range []Address{
		{URL: b.URL(), Creds: eve}, {URL: b.URL(), Token: testToken}, {URL: b.URL()},
	} {
		if _, err := Workers(t.Context(), a); err == nil {
			t.Errorf("%+v comes in", a)
		}
	}
}
