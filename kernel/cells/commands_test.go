package cells

import (
	"strings"
	"testing"
)

// What neither GoNB nor Go tell well of a cell is told in the words of who wrote it.
func TestRefused(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]string{
		"%%time\nfmt.Println(1)": "line 1: %%time is no command of this kernel: t := time.Now()",
		"%%\n%timeit f()":        "line 2: %timeit is no command of this kernel: t := time.Now()",
		"%%html\n<b>x</b>":       "line 1: %%html is no command of this kernel: below %%, gonbui.",
		"%%python\nprint(1)":     "line 1: %%python is no command of this kernel: %%script python gives",
		"%pip install x":         "line 1: %pip is no command of this kernel, which is Go",
		"%lba step a 10":         "line 1: %lba is no command of this kernel; is %lab meant?",
		"%%time\r\nf()\r\n":      "line 1: %%time is no command of this kernel",
		"%qwertyuiop":            "line 1: %qwertyuiop is no command of this kernel; %help lists them",
		"# comment\n%%\nf()": "line 1: # comment is no comment of Go, which begins with //: " +
			"// comment",
		"%%\nx := 1 # one": "line 2: # one is no comment of Go, which begins with //: // one",
		"%%\nimport \"math\"\nf()": `line 2: import "math" stands below %%, where statements stand: ` +
			"move it above; packages of Go's own library need none",
		"%lab step a\nimport (\n)":                    "line 2: import ( stands below %%",
		"%%writefile x.py\n# one\n%time\nimport x":    "",
		"%%bash\n# one":                               "",
		"!echo '#'\n%%\nf()":                          "",
		"%%\nfmt.Println(`\n# one\nimport x`, \"#\")": "",
		"import \"math\"\n%% -n 1\nf()":               "",
		"%main\nf()\n%cd x\n%env A=1\n!ls":            "",
		"%exec f\nimport \"math\"\nfunc f() {}":       "",
		"":                                            "", "%": "", "x := 5 % 3": "",
		"//gonb:%%\nf()": "", "%%go\nimport \"math\"\n%%\nf()": "",
		"f()\n%%go": "line 2: %%go may be the first line of a cell",
	} {
		err := Refused(code, false)
		if (err == nil) != (want == "") || err != nil && !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %q", code, err, want)
		}
	}
}
