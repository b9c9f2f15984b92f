package prompt

import (
	"context"
	"os"
	"os/signal"
	"strings"

	"metalab/kernel/grow"
)

// become goes on as the whole program, with the same command line, where this one is its core. It
// returns nil where this is the whole one, and else only with an error.
func become() error {
	if !grow.Lacking() {
		return nil
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	grow.Become()
	complain("the rest of metalab is compiled, once")
	_, err := grow.Compile(ctx, false, func(int64, int64) {})
	if err == nil {
		grow.Become()
	}
	return err
}

// ahead compiles what the host lacks while its user types, so that the first verb of it need not
// wait. It says so once, and why it cannot be done.
func (d *desk) ahead(ctx context.Context) {
	lacks := d.host().Hello().Lacks
	if !grow.Lacking() || len(lacks) == 0 {
		return
	}
	d.note("the rest of metalab (" + strings.Join(lacks, ", ") + ") is compiled in the background, " +
		"once; all else works meanwhile")
	_, err := grow.Compile(ctx, true, func(int64, int64) {})
	if err != nil && ctx.Err() == nil {
		d.note(strings.Join(lacks, ", ") + " cannot be had: " + err.Error())
	}
}
