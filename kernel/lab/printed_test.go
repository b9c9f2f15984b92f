package lab_test

import (
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"metalab/kernel/host"
	"metalab/kernel/lab"
	"metalab/kernel/lab/front"
)

// What a cell printed before it shows something is taken first, however long that takes: the two
// go through pipes of their own.
func TestPrintedStandsBeforeShown(t *testing.T) {
	sessionWith(t, host.Options{})
	claim := lab.Claim("the second is higher", "rising",
		lab.Sample("a", 1, 2, 3), lab.Sample("b", 4, 5, 6))
	n := cell(t, nil)
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	old := os.Stdout
	os.Stdout = w
	t.Cleanup(func() { os.Stdout = old; w.Close(); r.Close() })
	fmt.Println("printed")
	done := make(chan struct{})
	go func() {
		defer close(done)
		lab.Show(claim)
	}()
	end := time.Now().Add(50 * time.Millisecond)
	for ; time.Now().Before(end); time.Sleep(time.Millisecond) {
		if saved, _ := n.text(); saved != "" {
			t.Fatal("it is shown before what was printed is taken")
		}
	}
	if _, err := r.Read(make([]byte, 100)); err != nil {
		t.Fatal(err)
	}
	<-done
	if saved, _ := n.text(); saved == "" {
		t.Error("nothing is shown")
	}
}

// In a GoNB without metalab's kernel, sliders and dashboard are a file that opens the dashboard,
// and neither a button nor a secret.
func TestDashboardAbroad(t *testing.T) {
	session(t)
	a := lab.Open("a", "acs", "rand-50-1", lab.With("ants", 4))
	n := cell(t, nil)
	t.Setenv(front.EnvSaid, "")
	for _, f := range []func(){lab.Dashboard, func() { lab.Sliders(a, "q0") }} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		old := os.Stdout
		os.Stdout = w
		f()
		os.Stdout = old
		w.Close()
		b, err := io.ReadAll(r)
		r.Close()
		said := string(b)
		if err != nil || !strings.Contains(said, "the dashboard of session s: open the file ") ||
			strings.Contains(said, "127.0.0.1") || strings.Contains(said, "button") {
			t.Errorf("it says %q, %v", said, err)
		}
		if saved, _ := n.text(); saved != "" {
			t.Errorf("and shows %s", saved)
		}
	}
}
