package wire

import "metalab/kernel/reply"

// WorkersDoings lists the actions of the verb workers.
var WorkersDoings = []Choice{
	{"list", "list them; also where nothing is said"},
	{"serve", "start the broker of this machine, and tell how workers join it"},
}

// WorkerDoings lists the commands to a worker.
var WorkerDoings = []Choice{
	{"drain", "end when the units under way are made"},
	{"stop", "end now: the units under way go to others"},
}

var argBroker = Arg{
	Name: "over", Kind: KindWord,
	Doc: "the broker: embed, that of this machine, or a nats:// or tls:// address; when left out " +
		"that which this session used last, else embed",
}

// argPlaced says who makes the iterations of a run's islands.
var argPlaced = Arg{
	Name: "over", Kind: KindWord,
	Doc: "who makes the iterations of the run's islands: local, this process; embed, workers that " +
		"join the broker of this machine; those of another by its nats:// or tls:// address",
}

// machineVerbs are about the workers of experiments on other machines.
var machineVerbs = []Verb{
	typed[WorkersRequest, reply.WorkersReply](Verb{
		Name: "workers", Group: "experiments", Browser: true, // without arguments
		Doc: "list who makes units of experiments elsewhere: workers, of this machine and others, " +
			"which join a broker; serve starts one. experiment … over=embed gives them units",
		Example: "workers; workers serve; workers wait=2; workers over=nats://127.0.0.1:4222; " +
			"workers serve listen=0.0.0.0:4222 cert=cert.pem key=key.pem users=users.txt",
		Args: []Arg{
			{
				Name: "do", Kind: KindWord, Place: true, Choices: WorkersDoings, Default: "list",
				Doc: "list or serve",
			},
			argBroker,
			{
				Name: "wait", Kind: KindInt,
				Doc: "return when at least so many have joined and do not drain; 0: when none is left",
			},
			{
				Name: "listen", Kind: KindWord,
				Doc: "serve: HOST:PORT; when left out a free port of 127.0.0.1, the same each time; where " +
					"others can reach it cert, key and users are needed",
			},
			{Name: "cert", Kind: KindPath, Doc: "serve: the certificate for TLS, in PEM"},
			{Name: "key", Kind: KindPath, Doc: "serve: its key"},
			{
				Name: "users", Kind: KindPath,
				Doc: "serve: a file with a line for each user, a name and a public nkey",
			},
		},
	}),
	typed[WorkerRequest, reply.NoteReply](Verb{
		Name: "worker", Group: "experiments", Browser: true, // without a broker
		Doc: "end a worker; one is started in the shell of any machine, by the line that " +
			"workers serve prints",
		Example: "worker attic drain; worker attic stop",
		Args: []Arg{
			{Name: "name", Kind: KindWord, Place: true, Required: true, Doc: "as workers lists it"},
			{
				Name: "do", Kind: KindWord, Place: true, Required: true, Choices: WorkerDoings,
				Doc: "drain or stop",
			},
			argBroker,
		},
	}),
}

// WorkersRequest asks for the workers, or for a broker.
type WorkersRequest struct {
	Do     string `json:"do,omitempty"`   // see WorkersDoings
	Over   string `json:"over,omitempty"` // empty: that of the last use
	Wait   *int   `json:"wait,omitempty"` // for so many; nil: for none
	Listen string `json:"listen,omitempty"`
	Cert   string `json:"cert,omitempty"`  // absolute, as the two below
	Key    string `json:"key,omitempty"`   //
	Users  string `json:"users,omitempty"` //
}

// WorkerRequest orders a worker to end.
type WorkerRequest struct {
	Name string `json:"name"`
	Do   string `json:"do"`             // see WorkerDoings
	Over string `json:"over,omitempty"` // empty: that of the last use
}
