package machines

import (
	"fmt"
	"strings"
)

// command is the command line of a worker as other programs start it.
func command(a *asked, name, cores string) string {
	out := fmt.Sprintf("repl worker '%s' -name %s -cores %s", a.url, name, cores)
	if a.gpus != "none" {
		out += " -gpus " + a.gpus
	}
	if a.code {
		out += " -code"
	}
	if a.creds != "" {
		out += " -creds '" + a.creds + "'"
	}
	if a.ca != "" {
		out += " -ca '" + a.ca + "'"
	}
	return out
}

// sbatch is a script for Slurm: an array of workers, which only connect outwards. Slurm tells them
// a minute before their time is over, by SIGTERM: their units then go to others, and a job that is
// requeued joins again. B is the script itself, which becomes the worker: without it Slurm tells
// only the steps of srun.
func sbatch(a *asked) string {
	var b strings.Builder
	cores := max(a.cores, 1)
	fmt.Fprintf(&b, "#!/bin/bash\n#SBATCH --job-name=metalab-worker\n#SBATCH --array=1-%d\n", a.array)
	fmt.Fprintf(&b, "#SBATCH --cpus-per-task=%d\n#SBATCH --requeue\n#SBATCH --time=24:00:00\n", cores)
	if a.gpus != "none" {
		b.WriteString("#SBATCH --gpus-per-task=1\n")
	}
	b.WriteString("#SBATCH --signal=B:TERM@60\n")
	fmt.Fprintf(&b, "exec %s\n", command(a, `"slurm-$SLURM_ARRAY_JOB_ID-$SLURM_ARRAY_TASK_ID"`,
		`"$SLURM_CPUS_PER_TASK"`))
	return b.String()
}

// job is a Job for Kubernetes: so many pods with a worker each. The token is that of a secret.
func job(a *asked) string {
	cores := max(a.cores, 1)
	var b strings.Builder
	fmt.Fprintf(&b, `apiVersion: batch/v1
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
      containers:
      - name: worker
        image: '%[2]s'
        command: [sh, -c, "exec %[3]s"]
        env:
        - name: POD
          valueFrom: {fieldRef: {fieldPath: metadata.name}}
        - name: METALAB_NATS_TOKEN
          valueFrom: {secretKeyRef: {name: metalab, key: token, optional: true}}
        resources:
          limits: {cpu: %[4]d`, a.array, a.image, command(a, "$POD", fmt.Sprint(cores)), cores)
	if a.gpus != "none" {
		b.WriteString(", nvidia.com/gpu: 1")
	}
	b.WriteString("}\n")
	return b.String()
}
