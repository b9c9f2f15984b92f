package bind

//go:generate go run metalab/kernel/eval/bind/gen -o lab_bind.go metalab/kernel/lab
//go:generate go run metalab/kernel/eval/bind/gen -o stat_bind.go gonum.org/v1/gonum/stat
//go:generate go run metalab/kernel/eval/bind/gen -o floats_bind.go gonum.org/v1/gonum/floats
//go:generate go run metalab/kernel/eval/bind/gen -o reply_bind.go metalab/kernel/reply
//go:generate go run metalab/kernel/eval/bind/gen -o stats_bind.go metalab/solvers/stats
//go:generate go run metalab/kernel/eval/bind/gen -o wave_bind.go metalab/solvers/wave
//go:generate go run metalab/kernel/eval/bind/gen -o arith_bind.go metalab/solvers/arith
