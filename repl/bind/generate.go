package bind

//go:generate go run metalab/repl/bind/gen -o lab_bind.go metalab/kernel/lab
