package pages

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"metalab/kernel/host"
	"metalab/kernel/host/serve"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// Pages in a browser talk to the host on 127.0.0.1, where every process of the machine and every
// page of the browser can connect. So:
//
//   - The host executes only verbs that the table marks for browsers, and nothing with a path.
//   - A page needs a token of 128 bits in the header Authorization, never in an address. The
//     dashboard gets one for a ticket, which a client on the socket asked for: the user's own
//     program. A ticket is valid for the host's own page only, and for some minutes. A page in a
//     notebook's cell gets a token for a secret that the notebook's kernel has passed on: see
//     pass.go.
//   - A token is bound to the origin of the page that got it, and all requests must say their
//     origin. CORS admits only that origin.
//   - The header Host must be ours, so that a page cannot use a domain name that points here (DNS
//     rebinding).
//   - Every request is a POST of JSON, which no form and no image can send.
//
// The host stores only hashes of tickets, secrets and tokens.

// How long tickets are valid: those that a page asks for, and those that are typed or clicked.
const (
	linkTicket      = time.Minute
	dashboardTicket = 10 * time.Minute
)

// maxGrants is the greatest number of pages at a time; the one that was quiet for the longest loses
// its token.
const maxGrants = 64

// pages is what a host knows of pages.
type pages struct {
	*host.Host
	server  *serve.Server // nil: the host has none
	handler http.Handler

	mu      sync.Mutex
	port    int                // 0: not listening
	tickets map[hash]time.Time // for the dashboard; until when they are valid
	passes  map[string]*pass   // for pages of cells
	grants  map[hash]*grant
	made    map[string]int // pages by kind, for their names
	figures figureCache
	tables  tables
}

type hash [sha256.Size]byte

// A grant is what a page may do.
type grant struct {
	origin string
	who    string
	used   time.Time
}

// secret returns 128 random bits as text, and their hash.
func secret() (string, hash) {
	var b [16]byte
	_, _ = rand.Read(b[:]) // it never fails
	s := base64.RawURLEncoding.EncodeToString(b[:])
	return s, hashOf(s)
}

func hashOf(s string) hash { return sha256.Sum256([]byte(s)) }

// ticket makes a ticket for the dashboard, and returns until when it is valid.
func (h *pages) ticket(life time.Duration) (s string, until time.Time) {
	s, k := secret()
	h.mu.Lock()
	defer h.mu.Unlock()
	h.expire()
	h.tickets[k] = time.Now().Add(life)
	return s, h.tickets[k]
}

// expire drops what has expired; the caller holds the lock.
func (h *pages) expire() {
	now := time.Now()
	for k, until := range h.tickets {
		if now.After(until) {
			delete(h.tickets, k)
		}
	}
	for name, t := range h.passes {
		if now.After(t.until) {
			delete(h.passes, name)
		}
	}
	for len(h.grants) > maxGrants {
		var oldest hash
		for k, g := range h.grants {
			if o := h.grants[oldest]; o == nil || g.used.Before(o.used) {
				oldest = k
			}
		}
		delete(h.grants, oldest)
	}
}

// enter exchanges the dashboard's ticket for a token that is bound to an origin.
func (h *pages) enter(s, origin string) (token string, g *grant, no *refused) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.expire()
	_, known := h.tickets[hashOf(s)]
	switch {
	case !known:
		return "", nil, &refused{why: "this address was opened too late: type dashboard for another one"}
	case !h.isOwn(origin):
		return "", nil, &refused{why: fmt.Sprintf("this address is for the pages of this session, and "+
			"%s is another origin: open it in a window of its own", reply.Printable(origin))}
	}
	token, g, _ = h.grantTo("dashboard", origin)
	return token, g, nil
}

// grantTo makes a token; the caller holds the lock.
func (h *pages) grantTo(who, origin string) (token string, g *grant, k hash) {
	h.made[who]++
	g = &grant{origin: origin, who: who, used: time.Now()}
	if n := h.made[who]; n > 1 {
		g.who = fmt.Sprintf("%s %d", who, n)
	}
	token, k = secret()
	h.grants[k] = g
	h.expire()
	return token, g, k
}

// grant returns what the page with this token may do; nil if the token is not valid.
func (h *pages) grant(token string) *grant {
	h.mu.Lock()
	defer h.mu.Unlock()
	g := h.grants[hashOf(token)]
	if g != nil {
		g.used = time.Now()
	}
	return g
}

// isOwn reports whether an origin is that of the host's own pages.
func (h *pages) isOwn(origin string) bool {
	host, ok := strings.CutPrefix(origin, "http://")
	return ok && slices.Contains(h.names(), host)
}

// names returns the values that the header Host may have.
func (h *pages) names() []string {
	return []string{fmt.Sprintf("127.0.0.1:%d", h.port), fmt.Sprintf("localhost:%d", h.port)}
}

// knows reports whether pages of an origin may read the answers to their requests: those that have
// a token, and for entering all while there is a pass that may be theirs.
func (h *pages) knows(origin string, entering bool) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.isOwn(origin) {
		return true
	}
	for _, g := range h.grants {
		if g.origin == origin {
			return true
		}
	}
	if entering {
		now := time.Now()
		for _, t := range h.passes {
			if now.Before(t.until) {
				return true
			}
		}
	}
	return false
}

// openPages begins to listen for pages, at the first need, and returns the address.
func (h *pages) openPages() (base string, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.Context().Err() != nil {
		return "", &wire.Error{Code: wire.CodeHost, Message: "the host is ending"}
	}
	if h.server == nil {
		return "", &wire.Error{Code: wire.CodeHost, Message: "pages: this host has no server"}
	}
	if h.port == 0 {
		if err := h.listenPages(0); err != nil {
			return "", &wire.Error{
				Code:    wire.CodeHost,
				Message: fmt.Sprintf("pages: no port of 127.0.0.1 can be had: %v", err),
			}
		}
	}
	return "http://" + h.names()[0], nil
}

// listenPages listens on a port; 0: any. The caller holds the lock.
func (h *pages) listenPages(port int) error {
	l, err := net.Listen("tcp4", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		return err
	}
	h.port = l.Addr().(*net.TCPAddr).Port
	h.tickets, h.passes, h.grants, h.made = map[hash]time.Time{}, map[string]*pass{},
		map[hash]*grant{}, map[string]int{}
	return h.servePages(l)
}

// savedPages is what a host that restarts saves about pages, which keep their tokens. Only the
// tokens' hashes are known.
type savedPages struct {
	Port   int            `json:"port"`
	Grants []savedGrant   `json:"grants"`
	Made   map[string]int `json:"made"`
}

type savedGrant struct {
	Hash   []byte `json:"hash"`
	Origin string `json:"origin"`
	Who    string `json:"who"`
}

// park returns what the next process must know of pages; nil if there were none.
func (h *pages) park() any {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.port == 0 {
		return nil
	}
	s := &savedPages{Port: h.port, Made: h.made}
	for k, g := range h.grants {
		s.Grants = append(s.Grants, savedGrant{k[:], g.origin, g.who})
	}
	return s
}

// reopen listens again for the pages of the process before. If another program has taken the
// port, they are lost, and their users must open them again.
func (h *pages) reopen(saved json.RawMessage) {
	var s savedPages
	if err := json.Unmarshal(saved, &s); err != nil {
		h.Logf("pages: %v", err)
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if err := h.listenPages(s.Port); err != nil {
		h.Logf("pages: %v", err)
		return
	}
	if s.Made != nil {
		h.made = s.Made
	}
	for _, g := range s.Grants {
		if len(g.Hash) == sha256.Size {
			h.grants[hash(g.Hash)] = &grant{origin: g.Origin, who: g.Who, used: time.Now()}
		}
	}
}

// servePages answers pages until the host ends.
func (h *pages) servePages(l net.Listener) error {
	srv := h.server.NewServer(h.handler)
	srv.MaxHeaderBytes = 16 << 10
	err := h.Go(func() { _ = srv.Serve(l) }) // it ends with the host
	if err == nil {
		err = h.Go(func() {
			<-h.Context().Done()
			h.server.EndServer(srv)
			os.Remove(h.leadsPath())
		})
	}
	if err != nil {
		srv.Close()
		return err
	}
	h.Logf("pages at http://%s", l.Addr())
	return nil
}
