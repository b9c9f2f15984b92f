package machines

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"metalab/solvers/experiment/stream"
)

// Where a pod has its credentials and certificates: the keys of the secret metalab.
const (
	podCreds = "/etc/metalab/creds"
	podCA    = "/etc/metalab/ca"
)

// reaches checks that the machines of a cluster reach the broker and may join it. A script that
// none of them could run is refused before it waits in a queue.
func (a *asked) reaches() error {
	u, err := url.Parse(a.url)
	switch {
	case err != nil || u.Hostname() == "":
		return fmt.Errorf("the address is %.100q, want tls://HOST:PORT", a.url)
	case stream.Loopback(u.Hostname()):
		return fmt.Errorf("the address is %s, which on each machine of a cluster is that machine "+
			"itself: want tls://HOST:PORT, as they reach it", a.url)
	case u.Scheme != "tls":
		return fmt.Errorf("the address is %s, and the broker is on another machine: want tls://%s",
			a.url, u.Host)
	case a.creds == "":
		return fmt.Errorf("%s wants a credentials file or the seed of an nkey: -creds FILE", a.url)
	}
	return nil
}

// gpusEach is how many GPUs a worker of a cluster has: as many as are listed, one where all are
// asked for, as the cluster shows a worker only its own.
func (a *asked) gpusEach() int {
	if a.gpus == "none" {
		return 0
	}
	return strings.Count(a.gpus, ",") + 1
}

// command is the command line of a worker as other programs start it. A cluster numbers the GPUs
// that it gives to a worker from 0, so the worker takes all that it sees.
func command(a *asked, program, name, cores string) string {
	out := fmt.Sprintf("%s worker '%s' -name %s -cores %s", program, a.url, name, cores)
	if a.gpusEach() > 0 {
		out += " -gpus all"
	}
	if a.code {
		out += " -code"
	}
	if a.most > 0 {
		out += " -for " + a.most.String()
	}
	if a.creds != "" {
		out += " -creds '" + a.creds + "'"
	}
	if a.ca != "" {
		out += " -ca '" + a.ca + "'"
	}
	return out
}

// program is the path of this program for scripts, empty where it goes when it ends: go run
// compiles into a temporary folder.
func program() string {
	path, err := os.Executable()
	if err != nil || strings.Contains(path, string(filepath.Separator)+"go-build") ||
		strings.ContainsAny(path, "'\n\r\"\\") {
		return ""
	}
	return path
}

// slurmTime is a time as --time has it, in whole minutes, with one for the start and the end.
func slurmTime(d time.Duration) string {
	m := int64((d+time.Minute-1)/time.Minute) + 1
	return fmt.Sprintf("%d-%02d:%02d:00", m/1440, m/60%24, m%60)
}

// sbatch is a script for Slurm: an array of workers, which only connect outwards. Slurm tells them
// a minute before their time is over, by SIGTERM: their units then go to others, and a job that is
// requeued joins again. B is the script itself, which becomes the worker: without it Slurm tells
// only the steps of srun.
func sbatch(a *asked, program string) string {
	var b strings.Builder
	most := 24*time.Hour - time.Minute
	if a.most > 0 {
		most = a.most
	}
	fmt.Fprintf(&b, "#!/bin/bash\n#SBATCH --job-name=metalab-worker\n#SBATCH --array=1-%d\n", a.array)
	fmt.Fprintf(&b, "#SBATCH --ntasks=1\n#SBATCH --cpus-per-task=%d\n", max(a.cores, 1))
	if n := a.gpusEach(); n > 0 {
		fmt.Fprintf(&b, "#SBATCH --gpus-per-task=%d\n", n)
	}
	fmt.Fprintf(&b, "#SBATCH --requeue\n#SBATCH --time=%s\n#SBATCH --signal=B:TERM@60\n",
		slurmTime(most))
	if program == "" {
		program = "repl"
	}
	fmt.Fprintf(&b, `repl="${METALAB_REPL:-$(command -v '%s')}"
if [ -z "$repl" ]; then
	echo "no program %s on $(hostname): go build -o FOLDER/repl ./repl/all," \
		"in a folder that all machines see, and METALAB_REPL=FOLDER/repl" >&2
	exit 127
fi
exec %s
`, program, program, command(a, `"$repl"`, `"slurm-$SLURM_ARRAY_JOB_ID-$SLURM_ARRAY_TASK_ID"`,
		`"$SLURM_CPUS_PER_TASK"`))
	return b.String()
}

// job is a Job for Kubernetes: so many pods with a worker each. The credentials and certificates
// are those of a secret, which its first lines make.
func job(a *asked) string {
	cores := max(a.cores, 1)
	secret := " --from-file=creds='" + a.creds + "'"
	pod := *a
	pod.creds = podCreds
	if a.ca != "" {
		secret, pod.ca = secret+" --from-file=ca='"+a.ca+"'", podCA
	}
	var b strings.Builder
	fmt.Fprintf(&b, `# Once, so that the workers may join:
#   kubectl create secret generic metalab%[5]s
apiVersion: batch/v1
kind: Job
metadata:
  name: metalab-worker
spec:
  completions: %[1]d
  parallelism: %[1]d
  backoffLimit: 1000
  template:
    spec:
      restartPolicy: OnFailure
      terminationGracePeriodSeconds: 60
      volumes:
      - name: metalab
        secret: {secretName: metalab}
      containers:
      - name: worker
        image: '%[2]s'
        command: [sh, -c, "exec %[3]s"]
        env:
        - name: POD
          valueFrom: {fieldRef: {fieldPath: metadata.name}}
        volumeMounts:
        - {name: metalab, mountPath: /etc/metalab, readOnly: true}
        resources:
          limits: {cpu: %[4]d`, a.array, a.image, command(&pod, "repl", "$POD", fmt.Sprint(cores)),
		cores, secret)
	if n := a.gpusEach(); n > 0 {
		fmt.Fprintf(&b, ", nvidia.com/gpu: %d", n)
	}
	b.WriteString("}\n")
	return b.String()
}
