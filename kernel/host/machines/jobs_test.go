package machines_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"metalab/kernel/host/machines"
)

// printed is what the command of a worker prints, and how it ends.
func printed(args ...string) (out, bad string, status int) {
	var o, b bytes.Buffer
	status = machines.Worker(args, &o, &b)
	return o.String(), b.String(), status
}

// refusedBySlurm says why sbatch would refuse a script, by its manual: what it knows of options
// and their values, and that tasks must be counted where something is asked for each of them.
func refusedBySlurm(script string) string {
	known := map[string]*regexp.Regexp{
		"job-name":      regexp.MustCompile(`^\S+$`),
		"array":         regexp.MustCompile(`^\d+-\d+$`),
		"ntasks":        regexp.MustCompile(`^[1-9]\d*$`),
		"cpus-per-task": regexp.MustCompile(`^[1-9]\d*$`),
		"gpus-per-task": regexp.MustCompile(`^[1-9]\d*$`),
		"requeue":       regexp.MustCompile(`^$`),
		"time":          regexp.MustCompile(`^\d+-([01]\d|2[0-3]):[0-5]\d:[0-5]\d$`),
		"signal":        regexp.MustCompile(`^(B:)?[A-Z]+@\d{1,5}$`),
	}
	if !strings.HasPrefix(script, "#!/") {
		return "the first line names no interpreter"
	}
	said := map[string]bool{}
	for line := range strings.Lines(script) {
		option, ok := strings.CutPrefix(line, "#SBATCH --")
		if !ok {
			continue
		}
		name, value, _ := strings.Cut(strings.TrimSpace(option), "=")
		if form := known[name]; form == nil || !form.MatchString(value) {
			return "not an option: " + line
		}
		said[name] = true
	}
	if said["gpus-per-task"] && !said["ntasks"] {
		return "--gpus-per-task without --ntasks or --gpus"
	}
	return ""
}

// Each script is one that Slurm takes, and becomes the worker that was asked for.
func TestSlurmScripts(t *testing.T) {
	dir := t.TempDir()
	stand := filepath.Join(dir, "stand-in")
	if err := os.WriteFile(stand, []byte("#!/bin/sh\nprintf '%s\\n' \"$@\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		flags, options, worker string
	}{
		{"", "--cpus-per-task=1 --time=1-00:00:00", ""},
		{"-cores 8 -array 20 -code", "--cpus-per-task=8 --array=1-20", "-code"},
		{"-for 45m", "--time=0-00:46:00", "-for 45m0s"},
		{"-for 36h30m1s", "--time=1-12:32:00", "-for 36h30m1s"},
		{"-gpus all -cores 4", "--gpus-per-task=1", "-gpus all"},
		{"-gpus 0,1,3", "--gpus-per-task=3", "-gpus all"},
		{"-ca lab.pem", "--ntasks=1", "-ca lab.pem"},
	} {
		args := append([]string{"tls://lab:4222", "-creds", "/home/a b/ada.nk", "-slurm"},
			strings.Fields(c.flags)...)
		script, bad, status := printed(args...)
		if status != 0 || bad != "" {
			t.Errorf("%s: %d %s", c.flags, status, bad)
			continue
		}
		if why := refusedBySlurm(script); why != "" {
			t.Errorf("%s: sbatch: %s\n%s", c.flags, why, script)
		}
		for o := range strings.FieldsSeq(c.options) {
			if !strings.Contains(script, "#SBATCH "+o+"\n") {
				t.Errorf("%s lacks %s:\n%s", c.flags, o, script)
			}
		}
		run := exec.Command("bash")
		run.Stdin, run.Env = strings.NewReader(script), append(os.Environ(), "METALAB_REPL="+stand,
			"SLURM_ARRAY_JOB_ID=71", "SLURM_ARRAY_TASK_ID=3", "SLURM_CPUS_PER_TASK=8")
		out, err := run.CombinedOutput()
		want := fmt.Sprintf("worker tls://lab:4222 -name slurm-71-3 -cores 8 %s -creds", c.worker)
		got := strings.Split(strings.TrimSpace(string(out)), "\n")
		if err != nil || !slices.Contains(got, "/home/a b/ada.nk") {
			t.Errorf("%s becomes %q: %v", c.flags, got, err)
		}
		for w := range strings.FieldsSeq(want) {
			if !slices.Contains(got, w) {
				t.Errorf("%s becomes %q, and lacks %s", c.flags, got, w)
			}
		}
	}
	script, _, _ := printed("tls://lab:4222", "-creds", "a.nk", "-slurm")
	script = strings.ReplaceAll(script, "command -v '", "command -v '/nosuch")
	run := exec.Command("bash")
	run.Stdin = strings.NewReader(script)
	out, err := run.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "METALAB_REPL=FOLDER/repl") {
		t.Errorf("without the program: %v %s", err, out)
	}
}

// What Slurm refuses is seen to be refused.
func TestRefusedBySlurm(t *testing.T) {
	t.Parallel()
	for script, want := range map[string]string{
		"exec x\n":                                      "interpreter",
		"#!/bin/sh\n#SBATCH --gpus-per-task=1\n":        "without --ntasks",
		"#!/bin/sh\n#SBATCH --time=24h\n":               "not an option",
		"#!/bin/sh\n#SBATCH --nosuch=1\n":               "not an option",
		"#!/bin/sh\n#SBATCH --ntasks=1\n#SBATCH -n x\n": "",
	} {
		if got := refusedBySlurm(script); (want == "") != (got == "") || !strings.Contains(got, want) {
			t.Errorf("%q: %q, want %q", script, got, want)
		}
	}
}

// A Job's pods have what the worker's command names: credentials and certificates come from the
// secret that its first lines make.
func TestKubernetesJob(t *testing.T) {
	t.Parallel()
	job, bad, status := printed("tls://lab:4222", "-k8s", "-creds", "/home/ada/ada.nk",
		"-ca", "lab.pem", "-array", "3", "-image", "me/metalab:1", "-gpus", "0,1", "-for", "2h")
	for _, want := range []string{
		"kubectl create secret generic metalab --from-file=creds='/home/ada/ada.nk' " +
			"--from-file=ca='lab.pem'\n",
		"completions: 3\n", "parallelism: 3\n", "image: 'me/metalab:1'\n",
		"{cpu: 1, nvidia.com/gpu: 2}", "secret: {secretName: metalab}", "mountPath: /etc/metalab,",
		" -gpus all -for 2h0m0s -creds '/etc/metalab/creds' -ca '/etc/metalab/ca'\"]\n",
	} {
		if !strings.Contains(job, want) || status != 0 {
			t.Errorf("%d %s: %s lacks %s", status, bad, job, want)
		}
	}
}

// An address that no machine of a cluster reaches, or may join, is refused before anything waits.
func TestScriptsNeedABrokerThatIsReached(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		"nats://127.0.0.1:4222 -slurm":                "is that machine itself",
		"tls://localhost:4222 -creds a.nk -slurm":     "is that machine itself",
		"nats://[::1]:4222 -k8s":                      "is that machine itself",
		"nats://lab:4222 -creds a.nk -slurm":          "want tls://lab:4222",
		"tls://lab:4222 -slurm":                       "-creds FILE",
		"nosuch -slurm":                               "want tls://HOST:PORT",
		"tls://lab:4222 -creds a.nk -slurm -for -1s":  "-for is -1s",
		"tls://lab:4222 -creds a.nk -k8s -array 1 -q": "-q",
	} {
		if out, bad, status := printed(strings.Fields(args)...); status != 2 || out != "" ||
			!strings.Contains(bad, want) {
			t.Errorf("%s: %d %s%s, want %s", args, status, out, bad, want)
		}
	}
}
