package solvers

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"

	"metalab/datasets"
)

var registry struct {
	sync.RWMutex
	all []Variant
}

// Register adds a variant; packages of algorithms call it from init. It panics if (solver, name,
// backend) is in use, or if one of these or New is missing.
func Register(v Variant) {
	for _, x := range [...]struct {
		field string
		there bool
	}{
		{"Solver", v.Solver != ""},
		{"Name", v.Name != ""},
		{"Backend", v.Backend != ""},
		{"New", v.New != nil},
	} {
		if !x.there {
			panic(fmt.Sprintf("solvers: the variant %s/%s on %s is registered without %s", v.Solver, v.Name,
				v.Backend, x.field))
		}
	}
	registry.Lock()
	defer registry.Unlock()
	for _, o := range registry.all {
		if o.Solver == v.Solver && o.Name == v.Name && o.Backend == v.Backend {
			panic(fmt.Sprintf("solvers: %s/%s on %s is registered twice", v.Solver, v.Name, v.Backend))
		}
	}
	registry.all = append(registry.all, v)
	slices.SortFunc(registry.all, func(a, b Variant) int {
		if c := strings.Compare(a.Solver, b.Solver); c != 0 {
			return c
		}
		if a.Default != b.Default {
			if a.Default {
				return -1
			}
			return 1
		}
		if c := strings.Compare(a.Name, b.Name); c != 0 {
			return c
		}
		return strings.Compare(a.Backend, b.Backend)
	})
}

// Put is like Register, but replaces a variant with the same names. Use it for solvers declared
// while the program runs. Open runs keep the old variant.
func Put(v Variant) {
	Remove(v.Solver, v.Name, v.Backend)
	Register(v)
}

// Remove unregisters a variant, and does nothing if there is none with these names.
func Remove(solver, variant, backend string) {
	registry.Lock()
	defer registry.Unlock()
	registry.all = slices.DeleteFunc(slices.Clone(registry.all), func(o Variant) bool {
		return o.Solver == solver && o.Name == variant && o.Backend == backend
	})
}

// Variants returns all registered variants, sorted by solver, default variants first.
func Variants() []Variant {
	registry.RLock()
	defer registry.RUnlock()
	return slices.Clone(registry.all)
}

// hostBackend is the backend of the host's own cores; every other one is that of a device.
const hostBackend = "cpu"

// packages are the packages, below this one, that register solvers.
var packages = map[string]string{
	"acs": "ants", "as": "ants", "mmas": "ants", "ga": "genetic", "ils": "ils", "tabu": "moves",
	"hill": "moves", "vnd": "moves", "anneal": "anneal", "threshold": "threshold", "cmaes": "cmaes",
}

// Find returns the variant of a solver on a backend. An empty variant means the solver's default,
// or its fallback if the default does not run on the backend. An empty backend means "cpu". The
// error says what exists.
func Find(solver, variant, backend string) (Variant, error) {
	if backend == "" {
		backend = hostBackend
	}
	if !isBackend(backend) {
		return Variant{}, fmt.Errorf(
			"there is no backend %q: want cpu, or cuda for an NVIDIA GPU", backend,
		)
	}
	var solvers, names, backends []string
	var found *Variant
	all := Variants()
	if variant == "" {
		variant = unnamed(all, solver, backend)
	}
	variant = present(all, solver, variant)
	for _, v := range all {
		solvers = append(solvers, v.Solver)
		if v.Solver != solver {
			continue
		}
		names = append(names, v.Name)
		if v.Name == variant {
			backends = append(backends, v.Backend)
			if v.Backend == backend && found == nil {
				found = &v
			}
		}
	}
	switch {
	case found != nil:
		return *found, nil
	case len(names) == 0 && packages[solver] != "":
		return Variant{}, fmt.Errorf("solver %s is not linked into this program: import "+
			"_ \"metalab/solvers/%s\", or _ \"metalab/solvers/all\", which has all; linked are: %s",
			solver, packages[solver], cmp.Or(strings.Join(slices.Compact(solvers), ", "), "none"))
	case len(names) == 0:
		return Variant{}, fmt.Errorf(
			"no solver is called %q; there are %s", solver, strings.Join(slices.Compact(solvers), ", "),
		)
	case len(backends) == 0 && variant == "":
		return Variant{}, fmt.Errorf(
			"solver %s has no default variant; name one of %s", solver, strings.Join(dedup(names), ", "),
		)
	case len(backends) == 0:
		return Variant{}, fmt.Errorf(
			"solver %s has no variant %q; there are %s", solver, variant, strings.Join(dedup(names), ", "),
		)
	}
	return Variant{}, fmt.Errorf(
		"solver %s/%s does not run on %s; it runs on %s", solver, variant, backend,
		strings.Join(dedup(backends), ", "),
	)
}

// present is the name that a variant of a solver has now, of that or of one that it had before.
func present(all []Variant, solver, variant string) string {
	for _, v := range all {
		if v.Solver == solver && slices.Contains(v.Formerly, variant) {
			return v.Name
		}
	}
	return variant
}

// FindFor is like Find, for instances of a kind. If no variant is named and the one of Find does
// not accept the kind, FindFor returns the first that does.
func FindFor(kind datasets.Kind, solver, variant, backend string) (Variant, error) {
	v, err := Find(solver, variant, backend)
	if err != nil || variant != "" || v.takes(kind) {
		return v, err
	}
	for _, o := range Variants() {
		if o.Solver == v.Solver && o.Backend == v.Backend && o.takes(kind) {
			return o, nil
		}
	}
	return v, nil
}

// Choose returns the variant of a configuration. If none is named and the default does not accept
// the instance's kind, it returns the first that does. If the configuration names the solver alone,
// without variant, parameters and any preset but best, a variant that does better on the instance
// may replace the default; why then says so, and is empty otherwise.
func Choose(cfg Config) (v Variant, why string, err error) {
	if cfg.Instance == nil {
		v, err = Find(cfg.Solver, cfg.Variant, cfg.Backend)
		return v, "", err
	}
	v, err = FindFor(cfg.Instance.Kind(), cfg.Solver, cfg.Variant, cfg.Backend)
	if err != nil || v.Instead == nil ||
		cfg.Variant != "" || len(cfg.Params) > 0 ||
		cfg.Preset != "" && cfg.Preset != "default" && cfg.Preset != "best" {
		return v, "", err
	}
	name, why := v.Instead(cfg.Instance)
	if name == "" {
		return v, "", nil
	}
	v, err = Find(cfg.Solver, name, cfg.Backend)
	return v, why, err
}

// unnamed returns the variant to use on a backend when none is named. The default is one
// trajectory, whatever the backend.
func unnamed(all []Variant, solver, backend string) string {
	name, fallback, runs := "", "", false
	for _, v := range all {
		if v.Solver == solver && v.Default && name == "" {
			name = v.Name
		}
		if v.Solver != solver || v.Backend != backend {
			continue
		}
		runs = runs || v.Name == name // defaults come first
		if v.Fallback {
			fallback = v.Name
		}
	}
	if !runs && fallback != "" {
		return fallback
	}
	return name
}

// isBackend reports whether a name is that of a backend, whatever runs on it here.
func isBackend(name string) bool {
	return name == hostBackend || name == "cuda" ||
		slices.ContainsFunc(Variants(), func(v Variant) bool { return v.Backend == name })
}

func dedup(s []string) []string {
	s = slices.Clone(s)
	slices.Sort(s)
	return slices.Compact(s)
}

// takes reports whether v solves instances of the kind.
func (v Variant) takes(k datasets.Kind) bool { return slices.Contains(v.Kinds, k) }
