//go:build unix

package killtest

import (
	"runtime/debug"
	"syscall"
)

// limitMemory lets the process end when it needs 600 MB, as it would by the kernel of a small machine.
func limitMemory() error {
	debug.SetTraceback("none")
	return syscall.Setrlimit(syscall.RLIMIT_DATA, &syscall.Rlimit{Cur: 600 << 20, Max: 600 << 20})
}
