package machines

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"metalab/gpu"
	"metalab/kernel/host"
	"metalab/solvers/experiment"
	"metalab/solvers/experiment/stream"
	"metalab/solvers/record"
)

const usage = `repl worker ADDRESS [flags]: make units of experiments for a broker.

ADDRESS is embed, the broker of this machine that workers serve starts, nats://HOST:PORT of this
machine or a tunnel, or tls://HOST:PORT of another machine; with /USER behind it the subjects of a
user. It ends by ^C, by worker NAME drain or stop at the prompt,
and by SIGTERM: units under way then go to others.

flags:
  -cores N     units on the processor side by side; all cores when left out
  -gpus LIST   all, none, or numbers with commas between them; none when left out
  -for TIME    it ends after so long, as 45m or 2h; units under way then go to others
  -name NAME   as workers lists it: letters, digits, - and _; the machine's when left out
  -creds FILE  credentials or the seed of an nkey, for another machine's broker
  -ca FILE     certificates that are trusted beside the system's
  -code        take the code of others too: units of their own solvers and problems come with the
               source, which is compiled here and may do all that you may; without it this worker
               gets none of them
  -slurm       print a script for sbatch instead, an array of -array such workers. Each has -cores
               and as many GPUs as -gpus lists (all: one); it runs for -for, else for a day. The
               program is this one, or METALAB_REPL where the job is submitted
  -k8s         print a Job for kubectl instead, with -array such workers of -image; its first
               lines make the secret with -creds and -ca
  -array N     how many of them, 1 to 10000
  -image NAME  k8s: an image that has repl, as this project's Dockerfile makes

environment:
  METALAB_NATS_TOKEN   the token of a broker; that of this machine's own is found by itself. An
                       address has none: others read it in the list of processes
  METALAB_NATS_CREDS, METALAB_NATS_CA   as -creds and -ca
`

// asked is what the command line of a worker says.
type asked struct {
	url, name, creds, ca, gpus, image string
	cores, array                      int
	most                              time.Duration // for which it works; 0: no end
	slurm, k8s, code                  bool
}

var workerName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

var gpuList = regexp.MustCompile(`^(all|none|[0-9]+(,[0-9]+)*)$`)

// parse reads the command line of a worker.
func parse(args []string) (a asked, err error) {
	fs := flag.NewFlagSet("worker", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.IntVar(&a.cores, "cores", 0, "")
	fs.StringVar(&a.gpus, "gpus", "none", "")
	fs.StringVar(&a.name, "name", "", "")
	fs.StringVar(&a.creds, "creds", os.Getenv(envCreds), "")
	fs.StringVar(&a.ca, "ca", os.Getenv(envCA), "")
	fs.DurationVar(&a.most, "for", 0, "")
	fs.BoolVar(&a.slurm, "slurm", false, "")
	fs.BoolVar(&a.k8s, "k8s", false, "")
	fs.BoolVar(&a.code, "code", false, "")
	fs.IntVar(&a.array, "array", 10, "")
	fs.StringVar(&a.image, "image", "metalab", "")
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") { // the address may come first
		a.url, args = args[0], args[1:]
	}
	if err := fs.Parse(args); err != nil {
		return a, err
	}
	rest := fs.Args()
	if a.url == "" && len(rest) > 0 {
		a.url, rest = rest[0], rest[1:]
	}
	switch {
	case a.url == "" || len(rest) > 0:
		err = fmt.Errorf("%d addresses are named, want 1, as nats://127.0.0.1:4222", len(rest))
	case strings.Contains(a.url, "@"): // and scripts for Slurm would have it
		err = fmt.Errorf("the address has a token, which others read in the list of processes: it "+
			"belongs into %s", envToken)
	case a.cores < 0 || a.cores > 4096:
		err = fmt.Errorf("-cores is %d, want 1 to 4096", a.cores)
	case a.most < 0:
		err = fmt.Errorf("-for is %v, want a time above 0, as 45m", a.most)
	case a.array < 1 || a.array > 10000:
		err = fmt.Errorf("-array is %d, want 1 to 10000", a.array)
	case a.name != "" && !workerName.MatchString(a.name):
		err = fmt.Errorf("-name is %q, want 1 to 64 letters, digits, - and _", a.name)
	case strings.ContainsAny(a.url+a.creds+a.ca+a.image, "'\n\r\"\\"):
		err = errors.New("the address or a path has quotes, backslashes or ends of lines")
	case !gpuList.MatchString(a.gpus):
		err = fmt.Errorf("-gpus is %q, want all, none, or numbers with commas between them", a.gpus)
	case a.url == embed && (a.slurm || a.k8s):
		err = errors.New("the address is embed, that of this machine, which no other one reaches: want " +
			"tls://HOST:PORT")
	case a.slurm && a.k8s:
		err = errors.New("-slurm and -k8s are both asked for")
	case a.slurm || a.k8s:
		err = a.reaches()
	}
	return a, err
}

// Worker is the command of a worker with its arguments; it returns the exit status.
func Worker(args []string, stdout, stderr io.Writer) int {
	me := record.Typed("worker")
	a, err := parse(args)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(stdout, strings.ReplaceAll(usage, "repl worker", me))
		return 0
	}
	if err != nil {
		fmt.Fprintf(stderr, "%s: %v; %s -h tells what there is\n", me, err, me)
		return 2
	}
	switch {
	case a.slurm:
		fmt.Fprint(stdout, sbatch(&a, program()))
		return 0
	case a.k8s:
		fmt.Fprint(stdout, job(&a))
		return 0
	}
	w, err := workerFor(&a)
	if err != nil {
		fmt.Fprintf(stderr, "%s: %v\n", me, err)
		return 1
	}
	w.Say = func(s string) { fmt.Fprintln(stdout, s) }
	if a.code {
		c, end, err := newCoder(w.Say)
		if err != nil {
			fmt.Fprintf(stderr, "%s: -code: %v\n", me, err)
			return 1
		}
		defer end()
		w.Code = c
		_ = os.Unsetenv(envToken) // the code of others needs none; a name that is there fails never
	}
	w.Joined = func(name string) {
		fmt.Fprintf(stdout, "worker %s has joined %s: %s, %s; ^C ends it\n", name,
			shown(w.Address.URL), counted(w.Cores, "core"), counted(len(w.GPUs), "GPU"))
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGHUP,
		syscall.SIGINT)
	defer stop()
	if a.most > 0 {
		var end context.CancelFunc
		ctx, end = context.WithTimeout(ctx, a.most)
		defer end()
	}
	if err := w.Run(ctx); err != nil && ctx.Err() == nil {
		fmt.Fprintf(stderr, "%s: %s\n", me, strings.TrimPrefix(err.Error(), "stream: "))
		return 1
	}
	return 0
}

// counted is a number with what is counted.
func counted(n int, what string) string {
	switch n {
	case 0:
		return "no " + what
	case 1:
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// workerFor is the worker that a command line asks for.
func workerFor(a *asked) (*stream.Worker, error) {
	w := &stream.Worker{
		Address: address(host.DefaultStateDir(), a.url), Name: a.name, Cores: a.cores,
		Options: experiment.Options{Machine: host.Machine()},
	}
	w.Address.Creds, w.Address.CA = a.creds, a.ca
	if a.url == embed {
		s := recall(host.DefaultStateDir())
		if s.URL == "" {
			return nil, errors.New("this machine has no broker: workers serve starts one, at the prompt " +
				"or in a cell")
		}
		w.Address = stream.Address{URL: s.URL, Token: s.Token}
	}
	if w.Cores == 0 {
		w.Cores = runtime.NumCPU()
	}
	if w.Name == "" {
		n, _ := os.Hostname() // else it has no name, and is called so
		w.Name = regexp.MustCompile(`[^A-Za-z0-9_-]+`).ReplaceAllString(n, "-")
		if w.Name = strings.Trim(w.Name, "-"); w.Name == "" {
			w.Name = "worker"
		}
		w.Name = w.Name[:min(len(w.Name), 64)]
	}
	if a.gpus == "none" {
		return w, nil
	}
	if err := gpu.Available(); err != nil {
		return nil, fmt.Errorf("-gpus is %s, and %s", a.gpus, strings.TrimSpace(err.Error()))
	}
	list, err := gpu.Devices()
	if err != nil {
		return nil, err
	}
	for i := range list {
		if a.gpus == "all" {
			w.GPUs = append(w.GPUs, i)
		}
	}
	if a.gpus != "all" {
		for s := range strings.SplitSeq(a.gpus, ",") {
			n, err := strconv.Atoi(s)
			if err != nil || n < 0 || n >= len(list) {
				return nil, fmt.Errorf("-gpus names %q, want all, none, or numbers from 0 to %d", s,
					len(list)-1)
			}
			w.GPUs = append(w.GPUs, n)
		}
	}
	w.Options.Device = func(n int) string { return fmt.Sprintf("GPU %d: %s", n, list[n].Name) }
	w.Options.Lost = func(err error) bool { return gpu.IsSticky(err) || gpu.IsLost(err) }
	return w, nil
}
