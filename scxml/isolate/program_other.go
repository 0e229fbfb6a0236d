//go:build !linux

package isolate

import (
	"os"
	"os/exec"
	"time"
)

// executable is the program of this process.
func executable() (string, error) { return os.Executable() }

func yield(*exec.Cmd) {}

func worked(*exec.Cmd) time.Duration { return 0 }
