package tty_test

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// BenchmarkKeyToScreen measures the time from a key to its character on the
// screen, over a pseudo terminal and an emulator: idle, with a status line that is
// refreshed as often as it can be, and with goroutines that never rest besides.
func BenchmarkKeyToScreen(b *testing.B) {
	for _, mode := range []string{"idle", "status", "status burn", "status burn-all"} {
		b.Run(strings.ReplaceAll(mode, " ", "+"), func(b *testing.B) {
			s := start(b, setup{mode: mode, cols: 100, rows: 30})
			s.want("lab> ")
			var times []time.Duration
			typed := ""
			for i := 0; b.Loop(); i++ {
				if len(typed) == 60 {
					s.send("\x15")
					s.wantCursor("lab> ", "")
					typed = ""
				}
				// Keys come at any phase of the library's sleeps.
				time.Sleep(time.Duration(20+i*7%23) * time.Millisecond)
				c := string(rune('0' + i%10)) // numbers open no list
				typed += c
				sent := time.Now()
				s.send(c)
				for !s.cursorAfter("lab> " + typed) {
					time.Sleep(100 * time.Microsecond)
					if time.Since(sent) > patience {
						b.Fatalf("%q is not shown:\n%s", typed, s.picture())
					}
				}
				times = append(times, time.Since(sent))
			}
			slices.Sort(times)
			ms := func(q float64) float64 {
				return float64(times[int(q*float64(len(times)-1))].Microseconds()) / 1000
			}
			b.ReportMetric(0, "ns/op") // the sleeps are in it
			b.ReportMetric(ms(0.5), "ms-median")
			b.ReportMetric(ms(0.99), "ms-p99")
			b.ReportMetric(ms(1), "ms-max")
		})
	}
}

// BenchmarkStart measures the time from the start of a program to its prompt.
func BenchmarkStart(b *testing.B) {
	var times []time.Duration
	for b.Loop() {
		begin := time.Now()
		s := start(b, setup{})
		for !s.cursorAfter("lab> ") {
			time.Sleep(100 * time.Microsecond)
		}
		times = append(times, time.Since(begin))
		s.stop()
	}
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "ms-median")
}
