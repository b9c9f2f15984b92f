// Package command is what the subcommands of kernel share: how flags are read, and which errors
// are not printed once more.
package command
