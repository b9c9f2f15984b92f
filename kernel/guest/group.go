//go:build !js

package guest

import "syscall"

// errBusy is the error of a program that another process has open for writing.
const errBusy = syscall.ETXTBSY

// inGroup starts a process in a group of its own, with what it starts itself.
func inGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// askWhere has a worker say where it is.
func askWhere(pid int) error { return syscall.Kill(pid, syscall.SIGUSR1) }

// killGroup kills a process and its group; it fails only if they have ended.
func killGroup(pid int) { _ = syscall.Kill(-pid, syscall.SIGKILL) }
