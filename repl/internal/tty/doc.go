// Package tty is the terminal of the prompt: lines with editing, completion, history and a live
// status line. Other goroutines may print without damage to the line being typed. The package knows
// nothing of metaheuristics.
//
// It is the only importer of github.com/c-bata/go-prompt v0.2.6, which draws the line and the
// suggestions. This package does all else (keys, pastes, editing, history, signals, the mode of the
// terminal), because the library leaves the terminal raw, loses Enter when typing is fast, cannot
// print above the prompt, panics without a terminal and can wait for ever on a resize.
//
// # The library's part, and ours
//
// The library draws: the prompt, the line with its cursor, and the list of suggestions with its
// colours and scroll bar. It asks for suggestions, and places their list. Our parts, with the
// reason:
//
//   - Keys ([input]): the library takes what one read brings for one key, so typing ahead and
//     pastes lose Enter and break escape sequences.
//   - Editing ([editor]): its buffer has no undo, no cutting beyond one line, no lines within an
//     input; it moves by runes, where a character may be several. Its buffer mirrors ours.
//   - Key bindings: they run on that buffer, and there are none with two keys or a search.
//   - History: its own is in memory and one process's, and knows no ^R.
//   - Choosing from the list: it takes a suggestion with the next key that is typed, so that Enter
//     would enter what the line does not show.
//   - Its loop Run: it leaks goroutines, and a resize or a signal can hold it for ever.
//   - Output above the prompt, the status line, colours, widths of characters, what does not fit:
//     it has none of these.
//
// # Use
//
// A program reads from a [Terminal] where a person types and from a [LineReader] elsewhere; both
// are a [Reader]:
//
//	func main() {
//		if err := run(); err != nil {
//			fmt.Fprintln(os.Stderr, err)
//			os.Exit(1)
//		}
//	}
//
//	func run() error {
//		ctx := context.Background()
//		if !tty.IsTerminal() {
//			return loop(ctx, tty.NewLineReader(os.Stdin, incomplete))
//		}
//		var iteration atomic.Int64
//		term, err := tty.Open(tty.Options{
//			Prompt:     func() string { return "lab> " },
//			Incomplete: incomplete, // such as: open braces are not all closed
//			Status:     func() string { return fmt.Sprintf("acs pr1002  iteration %d", iteration.Load()) },
//			Completer: func(text string, pos int) (int, []tty.Suggestion) {
//				from := strings.LastIndexAny(text[:pos], " ") + 1
//				var list []tty.Suggestion
//				for _, v := range verbs { // in the order in which they are to be shown
//					if from == 0 && strings.HasPrefix(v.Name, text[from:pos]) {
//						list = append(list, tty.Suggestion{Text: v.Name + " ", Description: v.Sentence})
//					}
//				}
//				return from, list
//			},
//			HistoryFile:   filepath.Join(stateDir, "history"),
//			CaptureOutput: true, // stray fmt.Println go above the prompt
//		})
//		if err != nil {
//			return err
//		}
//		defer term.Close() // restores the terminal, also after a panic
//		term.Go(func() {   // restores it if this goroutine panics
//			for i := range engine.Iterations() {
//				iteration.Store(i)
//				term.Refresh() // at any rate: it shows ten a second
//				if i%1000 == 0 {
//					fmt.Fprintf(term.Above(), "a: iteration %d\n", i)
//				}
//			}
//		})
//		return loop(ctx, term)
//	}
//
//	func loop(ctx context.Context, in tty.Reader) error {
//		for {
//			line, err := in.ReadLine(ctx)
//			var sig *tty.SignalError
//			switch {
//			case errors.Is(err, io.EOF): // ^D
//				return nil
//			case errors.Is(err, tty.ErrInterrupted): // ^C: the line is gone, go on
//				continue
//			case errors.As(err, &sig): // SIGTERM, SIGHUP: save and leave
//				return err
//			case err != nil:
//				return err
//			}
//			// The terminal is in its usual mode now, or held: ^C is a signal.
//			cmd, stop := signal.NotifyContext(ctx, os.Interrupt)
//			err = eval(cmd, line)
//			stop()
//			if err != nil {
//				fmt.Fprintln(os.Stderr, err)
//			}
//		}
//	}
//
// # Keys
//
//	Enter            enters the line; Alt-Enter puts a newline into it, shown as ↵
//	^C, ^D, ^Z       gives the line up; leaves, if the line is empty; stops the process
//	Tab, Shift-Tab   completes; then chooses the next, the previous suggestion; at the
//	                 start of a later line of an input Tab indents
//	Up, Down, ^P ^N  history, or the suggestions once one is chosen
//	^R               searches the history: type words to narrow it, ^R or Down for
//	                 older finds, Enter takes the find into the line, Esc or ^G cancels
//	Esc, ^G          puts the suggestions away
//	^A ^E ^B ^F      start, end, left, right, as Home, End and the arrows
//	Ctrl-Left/Right  a word left, right, as Alt-B and Alt-F
//	^K ^U ^W         cuts to the end, to the start, the word before; ^Y pastes it
//	Alt-D Alt-Bksp   cuts the word after, before
//	^T ^_ ^L         swaps two characters, undoes, clears the screen
//
// Suggestions appear while a word is typed that begins with a letter, and only Tab inserts one:
// Enter enters what the line shows.
//
// # History
//
// The file has one command a line; \n and \\ stand for a newline and a backslash. It is appended to
// at each input, so nothing is lost with the process, and several processes may share it. The
// newest 10,000 entries are loaded, and a file over 8 MiB is cut down to them.
//
// # Limits
//
// A table gives the width of characters, and terminals disagree about new emoji. Those that join
// (families, flags, skin tones) are shown apart, and a wide character that does not fit at the
// margin as ›‹; the text is intact. A resize cannot be followed exactly, since some terminals wrap
// lines again before they report it: one that shrinks may leave a stale row behind, and one that
// grows may lose the row above an input of several rows. Input that is higher than the screen is
// shown from its end, without a status line. While a command runs the terminal's own rules hold, so
// ^R or ^U typed ahead are the terminal's, and after [Terminal.Hold] what is typed shows when the
// command has ended.
package tty
