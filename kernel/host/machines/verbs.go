package machines

import (
	"context"
	"fmt"
	"net"
	"os"
	"strings"

	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/solvers/experiment/stream"
	"metalab/solvers/experiment/stream/broker"
	"metalab/solvers/record"
)

// caller is what the verbs need of a call.
type caller interface {
	Context() context.Context
	StateDir() string
}

// broken is the error of a verb.
func broken(verb string, err error) error {
	return wrong(verb + ": " + strings.TrimPrefix(strings.TrimPrefix(err.Error(), "stream: "),
		"broker: "))
}

// where is the broker of a request; ok is false where there is none yet.
func where(c caller, over string) (a stream.Address, ok bool) {
	if over == "" {
		over = lately.get()
	}
	if over != "" && over != embed {
		return address(c.StateDir(), over), true
	}
	s := recall(c.StateDir())
	return stream.Address{URL: s.URL, Token: s.Token}, s.URL != ""
}

// maxWait is the greatest number of workers that is waited for.
const maxWait = 1_000_000

// workers lists the workers, or starts a broker.
func workers(c caller, q *wire.WorkersRequest) (*reply.WorkersReply, error) {
	rep := &reply.WorkersReply{Verb: "workers", Workers: []reply.Worker{}}
	if q.Do != "" && q.Do != "list" && q.Do != "serve" {
		return nil, wrong(fmt.Sprintf("workers: do is %q, want list or serve", q.Do))
	}
	if q.Wait != nil && (*q.Wait < 0 || *q.Wait > maxWait) {
		return nil, wrong(fmt.Sprintf("workers: wait is %d, want 0 to %d", *q.Wait, maxWait))
	}
	a, ok := where(c, q.Over)
	if q.Do == "serve" {
		host, port, err := listenAt(q.Listen)
		if err != nil {
			return nil, broken("workers", err)
		}
		a, err = serve(c.Context(), c.StateDir(), broker.Options{
			Host: host, Port: port, Cert: q.Cert, Key: q.Key, Users: q.Users,
		})
		if err != nil {
			return nil, broken("workers", err)
		}
		ok = true
		if a.Token == "" {
			_, port, _ := net.SplitHostPort(hostOf(a.URL))
			rep.Broker = a.URL
			rep.Line = record.Typed("worker tls://THIS-MACHINE:" + port + " -creds SEED -ca CERTIFICATES")
			rep.Note = fmt.Sprintf("experiment … over=tls://THIS-MACHINE:%s gives them units, with %s and "+
				"%s in the environment", port, envCreds, envCA)
			return rep, nil
		}
		lately.set(embed)
		rep.Program, _ = os.Executable() // this program: it is empty where that is not known
		rep.Note = fmt.Sprintf("from another machine: ssh -N -L 4222:%s THIS-MACHINE, and there %s=… "+
			"%s nats://127.0.0.1:4222, with the token of %s", hostOf(a.URL), envToken,
			record.Typed("worker"), savedPath(c.StateDir()))
	}
	if !ok && q.Wait != nil && *q.Wait > 0 {
		return nil, wrong("workers: there is no broker that workers could join; workers serve starts one")
	}
	if !ok {
		return rep, nil
	}
	var all []stream.Member
	var err error
	if q.Wait != nil {
		all, err = stream.AwaitWorkers(c.Context(), a, *q.Wait)
	} else {
		all, err = stream.Workers(c.Context(), a)
	}
	mine := q.Over == "" && lately.get() == "" || q.Over == embed
	if err != nil && q.Do != "serve" && q.Wait == nil && mine {
		return rep, nil // the broker of an earlier session has ended with it
	}
	if err != nil {
		return nil, broken("workers", err)
	}
	rep.Broker, rep.Line = shown(a.URL), record.Typed("worker "+shown(a.URL))
	for i := range all {
		rep.Workers = append(rep.Workers, workerOf(&all[i]))
	}
	return rep, nil
}

// hostOf is HOST:PORT of an address.
func hostOf(url string) string {
	_, rest, _ := strings.Cut(url, "://")
	rest, _, _ = strings.Cut(rest, "/")
	return rest[strings.LastIndex(rest, "@")+1:]
}

// shown is an address without a token.
func shown(url string) string {
	scheme, rest, _ := strings.Cut(url, "://")
	return scheme + "://" + rest[strings.LastIndex(rest, "@")+1:]
}

// workerOf is a worker as a reply.
func workerOf(m *stream.Member) reply.Worker {
	w := reply.Worker{
		Name: m.Name, Machine: m.Machine, Build: m.Build, Cores: m.Cores, GPUs: m.GPUs, Made: m.Made,
		Failed: m.Failed, MemoryMB: reply.Num(float64(m.Memory) / 1e6),
		HeardS: reply.Num(m.Heard.Seconds()), Making: m.Making, Draining: m.Draining, Why: m.Why,
	}
	if m.UpS > 0 {
		w.Speed = reply.Num(float64(m.Made) * 60 / m.UpS)
	}
	return w
}

// worker tells a worker to end.
func worker(c caller, q *wire.WorkerRequest) (*reply.NoteReply, error) {
	a, ok := where(c, q.Over)
	if !ok {
		return nil, wrong("worker: there is no broker; workers serve starts one")
	}
	if err := stream.Order(c.Context(), a, q.Name, q.Do); err != nil {
		return nil, broken("worker", err)
	}
	note := q.Name + " ends when its units under way are made"
	if q.Do == stream.Stop {
		note = q.Name + " ends; its units under way go to others"
	}
	return &reply.NoteReply{Verb: "worker", Note: note}, nil
}
