package pages

import (
	"fmt"
	"net/http"
	"time"

	"metalab/kernel/host/serve"
	"metalab/kernel/wire"
)

// A cell's output goes through Jupyter's port for outputs, which every user of the machine may
// read. So a script in a cell's output contains nothing that gives access: it contains the public
// name of a pass. The page creates a secret of its own and sends it, with that name, to the
// notebook's kernel, on the channel on which the notebook asks for cells to be executed: only
// clients of Jupyter can send there, and only the kernel receives it. The kernel passes it on to
// the host on the socket. From then on the page can enter with name and secret, once.
//
// A name without a secret from the kernel, and the second use of a secret, come from an
// eavesdropper. The host refuses them; in the second case the admitted page loses its access too,
// and all clients of the session get a warning.

// cellPass is how long a pass is valid.
const cellPass = time.Minute

// maxSecrets is the number of pages that may enter with one pass: windows in which the same
// notebook is open.
const maxSecrets = 16

// A pass lets pages of a cell in.
type pass struct {
	who     string // the name of the page in journals, without its number
	until   time.Time
	secrets map[hash]*hash // from the kernel, with the token given for each; nil: none yet
	entered chan struct{}  // closed when one was let in
	tried   bool           // a page without a secret tried to enter
}

// pass makes a pass and returns its name.
func (h *pages) pass(who string) string {
	name, _ := secret()
	h.mu.Lock()
	defer h.mu.Unlock()
	h.expire()
	h.passes[name] = &pass{
		who: who, until: time.Now().Add(cellPass), secrets: map[hash]*hash{},
		entered: make(chan struct{}),
	}
	return name
}

// admit lets the page with this secret enter; false if the pass does not exist or has expired.
func (h *pages) admit(name, secret string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.expire()
	t := h.passes[name]
	if t == nil || len(secret) < minSecret || len(t.secrets) >= maxSecrets {
		return false
	}
	if _, known := t.secrets[hashOf(secret)]; !known {
		t.secrets[hashOf(secret)] = nil
	}
	return true
}

// minSecret is the least number of characters of a page's secret: 128 bits in hexadecimal.
const minSecret = 32

// refused says why a page is not let in.
type refused struct {
	why   string
	alarm string // the warning to all clients; empty: none
}

// enterCell exchanges a secret for a token that is bound to an origin.
func (h *pages) enterCell(name, secret, origin string) (token string, g *grant, no *refused) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.expire()
	t := h.passes[name]
	if t == nil {
		return "", nil, &refused{why: "this page was opened already, or too late: run the cell again"}
	}
	k := hashOf(secret)
	given, told := t.secrets[k]
	switch {
	case !told:
		no := &refused{why: "the notebook's kernel does not know this page: run the cell again"}
		if !t.tried {
			t.tried = true
			no.alarm = "somebody on this machine tried to open a page that a cell shows, without being " +
				"its notebook, and was refused"
		}
		return "", nil, no
	case given != nil:
		delete(h.grants, *given)
		return "", nil, &refused{
			why: "this page was opened already: run the cell again",
			alarm: "the secret of a page that a cell shows was used twice: that page is shut out; run " +
				"its cell again",
		}
	}
	token, g, k2 := h.grantTo(t.who, origin)
	t.secrets[k] = &k2
	select {
	case <-t.entered:
	default:
		close(t.entered)
	}
	return token, g, nil
}

// waitEntered waits until a page has entered with a pass, for a while; true also when the pass
// is over.
func (h *pages) waitEntered(name string, gone <-chan struct{}, wait time.Duration) bool {
	h.mu.Lock()
	t := h.passes[name]
	h.mu.Unlock()
	if t == nil {
		return true // passes live longer than any call waits
	}
	select {
	case <-t.entered:
		return true
	case <-time.After(wait):
	case <-gone:
	}
	return false
}

// pageAdmit receives the secret of a page from a notebook's kernel.
func (h *pages) pageAdmit(w http.ResponseWriter, r *http.Request) {
	var q wire.AdmitRequest
	if !readPage(w, r, &q) {
		return
	}
	if !h.admit(r.PathValue("id"), q.Secret) {
		serve.WriteError(w, &wire.Error{Code: wire.CodeRequest, Message: fmt.Sprintf(
			"page: %.40q was not asked for, or too long ago: run the cell again", r.PathValue("id"))})
		return
	}
	serve.WriteJSON(w, http.StatusOK, map[string]bool{"admitted": true})
}
