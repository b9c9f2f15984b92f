package main

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// The Dockerfile is one that Binder takes, by its documentation: it begins at an image with a tag;
// JupyterLab, Notebook and JupyterHub's server for one user are installed and on PATH; Binder names
// the user, who is not root and has a home folder; nothing stands before the command that Binder
// gives. Where Docker is, .ci/image builds it and calls them.
func TestDockerfileForBinder(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile("../Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(string(b), "\\\n", " ")
	for what, pattern := range map[string]string{
		"a tag":              `(?m)^FROM \S+:(1|2)\S*$`,
		"JupyterLab":         `(?m)^RUN .*/opt/jupyter/bin/pip install .*"jupyterlab>=`,
		"Notebook":           `(?m)^RUN .*/opt/jupyter/bin/pip install .*"notebook>=`,
		"JupyterHub":         `(?m)^RUN .*/opt/jupyter/bin/pip install .*"jupyterhub>=`,
		"them on PATH":       `(?m)^ENV .*\bPATH=/opt/jupyter/bin:`,
		"a hub's user":       `(?m)^ARG NB_USER=jovyan\nARG NB_UID=1000\nRUN adduser `,
		"Binder's user":      `(?m)^RUN adduser .*--uid \$NB_UID \$NB_USER$`,
		"a home folder":      `(?m)^ENV .*\bHOME=/home/\$NB_USER\b`,
		"files of the user":  `(?m)^COPY --chown=\$NB_UID:\$NB_UID \. `,
		"JupyterLab at last": `(?m)^CMD \["jupyter", "lab", "--ip=0\.0\.0\.0", `,
	} {
		if !regexp.MustCompile(pattern).MatchString(text) {
			t.Errorf("the Dockerfile lacks %s: %s", what, pattern)
		}
	}
	users := regexp.MustCompile(`(?m)^USER (.*)$`).FindAllStringSubmatch(text, -1)
	if len(users) == 0 || users[len(users)-1][1] != "$NB_USER" {
		t.Errorf("the image ends as another user than Binder's: %v", users)
	}
	if regexp.MustCompile(`(?m)^ENTRYPOINT`).MatchString(text) {
		t.Error("something stands before Binder's command")
	}
}
