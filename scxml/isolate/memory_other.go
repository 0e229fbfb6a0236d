//go:build unix && !linux

package isolate

import (
	"errors"
	"os/exec"
	"syscall"
)

// limitMemory fails: only the Go runtime bounds the memory, and not that of one large allocation.
func limitMemory(int64) error {
	return errors.New("this system does not limit what a process may map")
}

func shortenTurns() {}

func separate(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
