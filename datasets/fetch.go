package datasets

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"slices"
	"strings"
)

// HomeURLs are the addresses, without a trailing slash, of the sites from which Load fetches
// instances. Load skips an empty address.
type HomeURLs struct {
	TSPLIB  string // /tsp/NAME.tsp.gz and /atsp/NAME.atsp.gz
	TSPCopy string // the same, asked if TSPLIB does not answer
	QAPLIB  string // /NAME.dat
	QAPCopy string // /NAME.dat, asked if QAPLIB does not answer
	VLSI    string // /NAME.tsp
	Art     string // /NAME.tsp
}

// DefaultHomes returns the published homes: TSPLIB95 at Heidelberg (and the same over plain
// http, as it was published), QAPLIB at Lehigh (and its copy at Montréal), the VLSI and Mona
// Lisa collections at Waterloo.
func DefaultHomes() HomeURLs {
	return HomeURLs{
		TSPLIB:  "https://comopt.ifi.uni-heidelberg.de/software/TSPLIB95",
		TSPCopy: "http://comopt.ifi.uni-heidelberg.de/software/TSPLIB95",
		QAPLIB:  "https://coral.ise.lehigh.edu/wp-content/uploads/2014/07/data.d",
		QAPCopy: "https://qaplib.mgi.polymtl.ca/data.d",
		VLSI:    "https://www.math.uwaterloo.ca/tsp/vlsi",
		Art:     "https://www.math.uwaterloo.ca/tsp/data/ml",
	}
}

// remote is an address of an instance's file and the name that tells its format.
type remote struct {
	url, file string
	copyOf    string // the address of the same server that answers for this one too
}

// plain reports whether whoever is on the way to the address can change what comes.
func (r remote) plain() bool { return !strings.HasPrefix(r.url, "https://") }

// remotes returns where the named instance may be: its home when that is known,
// else all of them, those behind plain http last.
func (h HomeURLs) remotes(name string) []remote {
	var list []remote
	f, found := lookup(name)
	add := func(base, path string, origins ...string) {
		fits := !found
		for _, o := range origins {
			fits = fits || f.origin == o
		}
		if base != "" && fits {
			list = append(list, remote{url: base + path, file: path[strings.LastIndexByte(path, '/')+1:]})
			if base == h.TSPCopy {
				list[len(list)-1].copyOf = h.TSPLIB + path
			}
		}
	}
	for _, base := range []string{h.TSPLIB, h.TSPCopy} {
		add(base, "/tsp/"+name+".tsp.gz", "stsp", "dsj", "linhp")
		add(base, "/atsp/"+name+".atsp.gz", "atsp")
	}
	add(h.QAPLIB, "/"+name+".dat", "qap", "qap24", "qapo", "tai100a")
	add(h.QAPCopy, "/"+name+".dat", "qap", "qap24", "qapo", "tai100a")
	add(h.VLSI, "/"+name+".tsp", "vlsi")
	add(h.Art, "/"+name+".tsp", "art")
	slices.SortStableFunc(list, func(a, b remote) int {
		switch {
		case a.plain() == b.plain():
			return 0
		case b.plain():
			return -1
		}
		return 1
	})
	return list
}

// fetch downloads the instance, checks it and stores it in the cache. It adds the addresses that it
// asked to miss, and returns miss if no home has the name.
func (l *loader) fetch(ctx context.Context, name string, miss *NotFoundError) (Instance, error) {
	if l.offline {
		miss.Looked = append(miss.Looked, "not online (METALAB_OFFLINE or Offline)")
		if f, ok := lookup(name); ok {
			miss.Hint = fmt.Sprintf(
				"it is published (%s): go online, or put its file into a folder of METALAB_DATA", f.best.Source,
			)
		}
		return nil, miss
	}
	var failed []error
	missing := map[string]bool{} // addresses whose servers say that it is not there
	for _, r := range l.homes.remotes(name) {
		if missing[r.copyOf] {
			continue
		}
		l.log("fetching " + r.url)
		data, plain, err := l.download(ctx, r.url)
		switch {
		case ctx.Err() != nil:
			return nil, fmt.Errorf("datasets: fetch %s: %w", r.url, context.Cause(ctx))
		case errors.Is(err, errNotThere):
			miss.Looked = append(miss.Looked, r.url)
			missing[r.url] = true
			continue
		case err != nil:
			failed = append(failed, fmt.Errorf("%s: %w", r.url, err))
			miss.Looked = append(miss.Looked, r.url+" ("+brief(err)+")")
			continue
		}
		return l.accept(data, r, name, plain)
	}
	if len(failed) > 0 && known().rows[name].kind != "" {
		return nil, fmt.Errorf(
			"datasets: fetch %s: %w (put %s into a folder of METALAB_DATA to do without)", name,
			unreached(failed), name,
		)
	}
	return nil, miss
}

// unreached are why homes were not reached, in a line: a host each, with the innermost reason.
type unreached []error

func (u unreached) Error() string {
	var said []string
	for _, err := range u {
		address, _, _ := strings.Cut(err.Error(), ": ")
		if a, perr := url.Parse(address); perr == nil && a.Host != "" {
			address = a.Host
		}
		if s := address + ": " + brief(err); !slices.Contains(said, s) {
			said = append(said, s)
		}
	}
	return strings.Join(said, "; ")
}

func (u unreached) Unwrap() []error { return u }

// brief returns the innermost reason of a failed request.
func brief(err error) string {
	for {
		next := errors.Unwrap(err)
		if next == nil {
			s := err.Error() // a name server that fails stands before why
			return clip(strings.TrimSpace(s[strings.LastIndex(s, ": ")+1:]))
		}
		err = next
	}
}

// accept checks what came from r, by way of plain http or not, and keeps it.
func (l *loader) accept(data []byte, r remote, name string, plain bool) (Instance, error) {
	if bytes.HasPrefix(data, []byte{0x1f, 0x8b}) {
		var err error
		if data, err = gunzip(data, r.url, l.most); err != nil {
			return nil, err
		}
	}
	file := strings.TrimSuffix(r.file, ".gz")
	inst, err := parse(data, file, name)
	if err != nil {
		return nil, fmt.Errorf("datasets: %s does not hold the instance: %w", r.url, err)
	}
	f, _ := lookup(name)
	if f.sha256 != "" && f.sha256 != inst.SHA256() {
		return nil, fmt.Errorf(
			"datasets: %s differs from the published %s: SHA-256 of the canonical form is %s, want %s",
			r.url, name, inst.SHA256(), f.sha256,
		)
	}
	from := ""
	if plain && f.sha256 == "" {
		from = r.url
		setUnverified(inst, from)
		l.log(UnverifiedText(inst))
	}
	switch path, err := l.keep(file, data, from); {
	case errors.Is(err, errChanged):
		return nil, fmt.Errorf("datasets: %s: %w", r.url, err)
	case err != nil: // the instance is good all the same
		l.log(fmt.Sprintf("could not keep %s: %v", name, err))
	case path != "":
		l.log("kept " + path)
	}
	return inst, nil
}

// errNotThere means that the server has no such file.
var errNotThere = fmt.Errorf("no such file on the server: %w", fs.ErrNotExist)
