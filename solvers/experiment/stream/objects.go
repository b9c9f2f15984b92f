package stream

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"metalab/datasets"
	"metalab/solvers/experiment"
)

// put stores an outcome under its hash, and then creates the key of its unit. If the key exists,
// the first outcome stays, and the new one gets a key of its own, so that the coordinator compares
// the two.
func (p *namespace) put(ctx context.Context, unit, worker string, data []byte) error {
	s := sha256.Sum256(data)
	m := made{Format: format, SHA256: hex.EncodeToString(s[:]), Worker: worker}
	if _, err := p.objects.PutBytes(ctx, m.SHA256, data); err != nil {
		return err
	}
	b, err := json.Marshal(&m)
	if err != nil {
		return err
	}
	_, err = p.results.Create(ctx, firstKey(unit), b)
	if errors.Is(err, jetstream.ErrKeyExists) {
		_, err = p.results.Put(ctx, secondKey(unit, worker), b)
	}
	return err
}

// get fetches an object of at most that many bytes, named by its hash.
func (p *namespace) get(ctx context.Context, sha string, most int) ([]byte, error) {
	b, err := p.fetch(ctx, sha, most)
	if err != nil {
		return nil, err
	}
	if s := sha256.Sum256(b); hex.EncodeToString(s[:]) != sha {
		return nil, fmt.Errorf("stream: %w: that of the name %s holds other data", errObject, sha)
	}
	return b, nil
}

// errObject is that an object is not what it should be.
var errObject = errors.New("a false object")

// longest is the time for which an instance may be on its way.
const longest = 10 * time.Minute

// fetch fetches an object of at most that many bytes. It waits for one with missing parts: without
// a deadline for 5 s, plus a second for each MB of the announced size.
func (p *namespace) fetch(ctx context.Context, name string, most int) ([]byte, error) {
	info, err := p.objects.GetInfo(ctx, name)
	if err != nil {
		return nil, err
	}
	if info.Size > uint64(most) {
		return nil, fmt.Errorf("stream: %w: it has more than %d bytes", errObject, most)
	}
	if _, has := ctx.Deadline(); !has {
		var end context.CancelFunc
		ctx, end = context.WithTimeout(ctx, 5*time.Second+time.Duration(info.Size)*time.Microsecond)
		defer end()
	}
	o, err := p.objects.Get(ctx, name)
	if err != nil {
		return nil, err
	}
	defer o.Close()
	b, err := io.ReadAll(io.LimitReader(o, int64(most)+1)) // what it says may be false
	if err == nil && len(b) > most {
		err = fmt.Errorf("stream: %w: it has more than %d bytes", errObject, most)
	}
	return b, err
}

// instanceKey is the name of the object of an instance.
func instanceKey(sha string) string { return "instance-" + sha }

// maxCached is the greatest number of instances that a worker keeps.
const maxCached = 16

// A cache are the instances that a worker has, by their hash.
type cache struct {
	mu    sync.Mutex
	insts map[string]*cached
	order []string
}

type cached struct {
	mu   sync.Mutex
	inst datasets.Instance
}

func newCache() *cache { return &cache{insts: map[string]*cached{}} }

// get returns the instance of a unit: one that it has, that its name generates, or the object of
// its hash.
func (c *cache) get(ctx context.Context, p *namespace, u *experiment.Unit) (*cached, error) {
	sha := u.Instance.SHA256
	c.mu.Lock()
	x := c.insts[sha]
	if x == nil {
		if len(c.order) >= maxCached {
			delete(c.insts, c.order[0])
			c.order = c.order[1:]
		}
		x = &cached{}
		c.insts[sha], c.order = x, append(c.order, sha)
	}
	c.mu.Unlock()
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.inst != nil {
		return x, nil
	}
	if x.inst = generated(&u.Instance); x.inst != nil {
		return x, nil
	}
	ctx, end := context.WithTimeout(ctx, longest)
	defer end()
	b, err := p.fetch(ctx, instanceKey(sha), maxInstance)
	if err != nil {
		return nil, fmt.Errorf("stream: instance %s: %w", u.Instance.Name, err)
	}
	x.inst, err = readInstance(b, sha)
	return x, err
}

// loader is an experiment.Loader that has this instance only.
func (x *cached) loader(context.Context, string) (datasets.Instance, error) { return x.inst, nil }

// cutRevision parts the words of an algorithm.
func cutRevision(kind string) (without, revision string, ok bool) {
	return strings.Cut(kind, ", ")
}
