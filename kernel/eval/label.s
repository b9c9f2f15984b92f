// Without a file of assembly the compiler takes no function without a body, as label in checks.go.
