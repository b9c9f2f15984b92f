package lab_test

import (
	"fmt"
	"os"
	"testing"
	"time"

	"metalab/kernel/host"
	"metalab/kernel/lab"
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
