//go:build unix

package killtest

import "syscall"

// Pause stops the process where it is.
func (h *Host) Pause() { h.process.cmd.Process.Signal(syscall.SIGSTOP) }

// Resume lets a process that was stopped continue.
func (h *Host) Resume() { h.process.cmd.Process.Signal(syscall.SIGCONT) }
