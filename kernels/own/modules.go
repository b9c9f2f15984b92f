package own

import (
	"sync"

	"metalab/gpu/ptx"
)

// modulesMost is the number of compiled texts in the cache; one with its PTX has some .1 to .5 MB.
const modulesMost = 64

// A listing is what a module is compiled of.
type listing struct {
	name, text string
	outline    bool
}

// modules are texts that were compiled, so that a run that is opened, forked or replayed again
// finds its kernels. A text that is being compiled is waited for, not compiled twice. Modules are
// not changed by who has them.
type modules struct {
	sync.Mutex
	by    map[listing]func() (*ptx.Module, error)
	order []listing // the oldest first, which makes room
}

var known = modules{by: map[listing]func() (*ptx.Module, error){}}

// compile returns the module of a text, or why it is refused.
func (m *modules) compile(t listing) (*ptx.Module, error) {
	m.Lock()
	f := m.by[t]
	if f == nil {
		f = sync.OnceValues(func() (*ptx.Module, error) {
			o := ptx.Options{Source: sources, Bounded: true, Outline: t.outline}
			return ptx.Compile(t.name, t.text, o)
		})
		if len(m.order) == modulesMost {
			delete(m.by, m.order[0])
			m.order = append(m.order[:0], m.order[1:]...)
		}
		m.by[t], m.order = f, append(m.order, t)
	}
	m.Unlock()
	return f()
}
