// Package eval runs Go at a prompt: inputs of declarations and statements, whose variables,
// functions, types and imports live on.
//
//	s, err := eval.New(eval.Config{
//		Packages: []string{"metalab/kernel/lab"}, // in scope as lab; bound, see package bind
//		Notice:   func(line string) { fmt.Fprintln(above, line) },
//	})
//	if err != nil { … }
//	go s.Warm() // the first input need not wait then
//
//	buf := ""
//	for line := range lines {
//		buf += line + "\n"
//		if eval.Incomplete(buf) {
//			continue // ask for another line, with another prefix
//		}
//		src := buf
//		buf = ""
//		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
//		values, err := s.Eval(ctx, src)
//		stop()
//		switch {
//		case errors.Is(err, eval.ErrInterrupted): // also ErrLeftBehind, whose text says more
//			fmt.Println(err)
//		case err != nil:
//			fmt.Println("error:", err) // one line, as 2:7: undefined: x
//		}
//		for _, v := range values {
//			fmt.Printf("%v\n", v)
//		}
//	}
//
// Where words of commands are typed too, look the first word up in the table of commands before.
// Compiled functions that wait should have the input's context; give it to inputs as a variable:
//
//	var ctx context.Context // set before each Eval
//	s.Bind("ctx", &ctx)
//
// # What inputs may do
//
// Everything that a file may, mixed freely: an input may declare a type, its methods, and call them
// in the next statement. Unlike in a file, x := … may declare x again, also with another type, and
// so may func, type, const and import. A function calls what its names mean when it runs: it is
// compiled again with each input that uses it. Should it no longer compile, the error names it.
// Methods may come in later inputs than their type. The packages of Std and of Config.Packages need
// no import line. An input ends with a value when its last statement is an expression.
//
// A new declaration of a type with another text drops variables of the old type, with a notice, and
// its methods; with the same text nothing changes. When an input fails half-way, what its finished
// statements declared stays. Goroutines outlive their input and its interrupt; a panic in one
// becomes a notice.
//
// # What they may not
//
//   - import packages that are not compiled into the program, unsafe, or with a dot; declare init
//   - keep a variable whose type is declared inside of a function
//   - call a lower-case method, through an interface, of a struct that has it from an embedded
//     interface: that panics
//   - expect a value already inside of an interface to have methods that its type got later: it
//     keeps those it was made with, and is not of the new type to a type switch. A method called
//     through an interface, or by compiled code, calls the functions that there were when its type
//     was declared
//   - expect speed: 0.1 to 0.2 µs a loop turn or call. What is hot belongs into a compiled package
//
// No input should end the process: the session catches panics, endless loops and recursion, os.Exit
// and too many methods, and inputs that request or gather more memory than there is: see memory.go.
// Inputs cannot survive what Go itself cannot: two goroutines that write one map, a panic in a
// goroutine that compiled code started, and memory that compiled code takes without end and that no
// number stands for.
//
// # How it works
//
// Each input is a small package of its own, which github.com/goplus/ixgo compiles to closures. See
// cell.go for the text that it becomes, rewrite.go for how its variables come to live on, types.go
// for the types, which must stay the same from input to input, checks.go for interrupts and
// invoke.go for calls through interfaces. ixgo leans on the insides of Go's runtime, so a new Go
// release may break it; hence the interface Evaluator, behind which another may take its place.
package eval
