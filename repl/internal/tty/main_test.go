package tty_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"metalab/repl/internal/tty"
)

// childEnv makes the test binary a program with a prompt, which the screen
// tests run on a terminal of their own. Its value is a list of words, see
// child.
const childEnv = "METALAB_TTY_CHILD"

func TestMain(m *testing.M) {
	if mode, ok := os.LookupEnv(childEnv); ok {
		os.Exit(child(strings.Fields(mode)))
	}
	os.Exit(m.Run())
}

func has(words []string, w string) bool {
	for _, x := range words {
		if x == w {
			return true
		}
	}
	return false
}

var verbs = []tty.Suggestion{
	{Text: "open ", Description: "opens a run on an instance"},
	{Text: "params ", Description: "lists the parameters"},
	{Text: "pause ", Description: "pauses a run"},
	{Text: "plot ", Description: "draws a figure"},
	{Text: "step ", Description: "makes iterations"},
}

func completeVerbs(text string, pos int) (int, []tty.Suggestion) {
	from := strings.LastIndexAny(text[:pos], " \n") + 1
	if strings.Contains(text, "boom") {
		panic("completer fell over")
	}
	if from > 0 {
		return from, nil
	}
	var list []tty.Suggestion
	for _, v := range verbs {
		if strings.HasPrefix(v.Text, text[from:pos]) {
			list = append(list, v)
		}
	}
	return from, list
}

func incomplete(text string) bool {
	return strings.Count(text, "{") > strings.Count(text, "}")
}

// child is the program. Its inputs are commands, and what it does not know it
// prints quoted. The words of mode: status (a status line), burn (a goroutine that
// never rests), burn-all (as many as there are cores), held, capture.
func child(mode []string) int {
	var count atomic.Int64
	opts := tty.Options{
		Prompt:        func() string { return "lab> " },
		Incomplete:    incomplete,
		Completer:     completeVerbs,
		HistoryFile:   os.Getenv("METALAB_TTY_HISTORY"),
		Hold:          has(mode, "held"),
		CaptureOutput: has(mode, "capture"),
	}
	if has(mode, "status") {
		opts.Status = func() string { return fmt.Sprintf("acs running it %d", count.Load()) }
	}
	term, err := tty.Open(opts)
	if err != nil {
		fmt.Println("open:", err)
		return 3
	}
	defer term.Close()
	if has(mode, "status") {
		go func() {
			for {
				count.Add(1)
				term.Refresh()
				time.Sleep(time.Millisecond)
			}
		}()
	}
	burners := 0
	if has(mode, "burn") {
		burners = 1
	}
	if has(mode, "burn-all") {
		burners = runtime.GOMAXPROCS(0)
	}
	for range burners {
		go func() {
			for x := uint64(1); ; x = x*6364136223846793005 + 1 {
				if x == 0 {
					fmt.Println("never")
				}
			}
		}()
	}
	for {
		line, err := term.ReadLine(context.Background())
		var sig *tty.SignalError
		switch {
		case errors.Is(err, io.EOF):
			fmt.Println("bye")
			return 0
		case errors.Is(err, tty.ErrInterrupted):
			fmt.Println("dropped")
			continue
		case errors.As(err, &sig):
			fmt.Println("signal:", err)
			return sig.ExitCode()
		case err != nil:
			fmt.Println("error:", err)
			return 1
		}
		if code, done := command(term, line); done {
			return code
		}
	}
}

func command(term *tty.Terminal, line string) (code int, done bool) {
	name, arg, _ := strings.Cut(line, " ")
	switch name {
	case "exit":
		return 7, true
	case "sleep":
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
		fmt.Println("sleeping")
		<-ctx.Done()
		stop()
		fmt.Println("woken by ^C")
	case "hold":
		return hold(term)
	case "wait", "release": // for a SIGUSR1
		told := onSignal()
		if name == "release" {
			term.Release()
		}
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
		fmt.Println("waiting")
		select {
		case <-told:
		case <-ctx.Done():
			fmt.Println("not yet")
			<-told
		}
		stop()
		fmt.Println("told")
	case "panic":
		panic("main fell over")
	case "gopanic":
		told := onSignal()
		term.Go(func() {
			<-told
			panic("goroutine fell over")
		})
	case "bg":
		n, _ := strconv.Atoi(arg)
		go func() {
			for i := range n {
				fmt.Fprintf(term.Above(), "bg line %d\n", i)
				time.Sleep(5 * time.Millisecond)
			}
			fmt.Fprintln(term.Above(), "bg done")
		}()
	case "flood":
		go func() {
			for i := range 50000 {
				fmt.Fprintf(term.Above(), "flood line %d\n", i)
			}
			fmt.Fprintln(term.Above(), "flood done")
		}()
	case "stray":
		go func() {
			for i := range 5 {
				fmt.Println("stray", i)
				fmt.Fprintln(os.Stderr, "error", i)
				log.Print("logged ", i)
				time.Sleep(10 * time.Millisecond)
			}
		}()
	case "passing":
		fmt.Print("open")
		term.Sync()
		term.Passing("not beside it")
		fmt.Println(" end")
		term.Sync()
		term.Passing(strings.Repeat("far ", 100))
		term.Passing("10 %")
		fmt.Println("told meanwhile")
		term.Sync()
		term.Passing("20 %")
	case "part":
		fmt.Print("no newline")
	case "size":
		fmt.Println(term.Size())
	case "later":
		ctx, stop := context.WithTimeout(context.Background(), 300*time.Millisecond)
		_, err := term.ReadLine(ctx)
		stop()
		fmt.Println("ended:", err)
	case "close":
		told := onSignal()
		go func() {
			<-told
			term.Close()
		}()
	default:
		fmt.Printf("got %q\n", line)
	}
	return 0, false
}

// onSignal is for what is to happen while something else is typed: at a SIGUSR1.
func onSignal() <-chan os.Signal {
	told := make(chan os.Signal, 1)
	signal.Notify(told, syscall.SIGUSR1)
	return told
}

// hold is a command that takes its time: it tells something at the first SIGUSR1, and ends
// at the second, or at ^C. SIGUSR2 ends the program.
func hold(term *tty.Terminal) (code int, done bool) {
	next, last := make(chan os.Signal, 2), make(chan os.Signal, 1)
	signal.Notify(next, syscall.SIGUSR1)
	signal.Notify(last, os.Interrupt, syscall.SIGUSR2)
	defer signal.Stop(next)
	defer signal.Stop(last)
	term.Hold()
	term.Hold() // once is enough
	fmt.Println("holding")
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	for i := 1; i <= 2; {
		term.Sync()
		term.Passing(fmt.Sprintf("%d %%", 10*i))
		select {
		case <-next:
			fmt.Println("told meanwhile")
			i++
		case sig := <-last:
			fmt.Println("let go")
			return 7, sig == syscall.SIGUSR2
		case <-again.C:
		}
	}
	fmt.Println("let go")
	return 0, false
}
