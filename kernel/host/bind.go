package host

import (
	"metalab/kernel/wire"
)

// handlerFunc carries out a verb: req is a pointer to the request that the verb's spec
// declares.
type handlerFunc func(h *Host, c *call, req any) (any, error)

// handlers are the verbs that the host carries out, by name. A test compares them with
// wire.Verbs.
var handlers = map[string]handlerFunc{
	"open":      bind((*Host).open),
	"step":      bind((*Host).step),
	"go":        bind((*Host).goOn),
	"pause":     bind((*Host).pause),
	"set":       bind((*Host).set),
	"fork":      bind((*Host).fork),
	"close":     bind((*Host).closeRun),
	"runs":      bind((*Host).listRuns),
	"show":      bind((*Host).show),
	"params":    bind((*Host).params),
	"best":      bind((*Host).best),
	"history":   bind((*Host).history),
	"journal":   bind((*Host).journal),
	"waves":     bind((*Host).waves),
	"plot":      bind((*Host).plot),
	"sliders":   bind((*Host).sliders),
	"save":      bind((*Host).save),
	"load":      bind((*Host).load),
	"replay":    bind((*Host).replay),
	"diff":      bind((*Host).diff),
	"export":    bind((*Host).export),
	"recover":   bind((*Host).recover),
	"repeat":    bind((*Host).repeat),
	"seeds":     bind((*Host).seeds),
	"compare":   bind((*Host).compare),
	"bench":     bind((*Host).bench),
	"instances": bind((*Host).instances),
	"instance":  bind((*Host).instance),
	"solvers":   bind((*Host).solvers),
	"declare":   bind((*Host).declare),
	"devices":   bind((*Host).devices),
	"doctor":    bind((*Host).doctor),
	"gpu":       bind((*Host).gpu),
	"upload":    bind((*Host).upload),
	"values":    bind((*Host).values),
	"module":    bind((*Host).module),
	"launch":    bind((*Host).launch),
	"free":      bind((*Host).free),
	"dashboard": bind((*Host).dashboard),
	"about":     bind((*Host).about),
	"detach":    bind((*Host).detach),
	"shutdown":  bind((*Host).shutdown),
}

func bind[Q, R any](f func(h *Host, c *call, q *Q) (*R, error)) handlerFunc {
	return func(h *Host, c *call, req any) (any, error) { return f(h, c, req.(*Q)) }
}

// wrong is an error about a request.
func wrong(msg string) error { return &wire.Error{Code: wire.CodeRequest, Message: msg} }
