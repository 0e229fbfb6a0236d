package isolate

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

// limitMemory limits what the data of this process may grow by. RLIMIT_DATA counts all private
// memory that can be written. With less than 1 GB of RLIMIT_AS the Go runtime does not start.
func limitMemory(growth int64) error {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return err
	}
	fields := bytes.Fields(text)
	if len(fields) < 6 {
		return errors.New("/proc/self/statm has no size of the data")
	}
	pages, err := strconv.ParseUint(string(fields[5]), 10, 64)
	if err != nil {
		return err
	}
	most := pages*uint64(os.Getpagesize()) + uint64(growth)
	return setLimit(syscall.RLIMIT_DATA, most, most)
}

// separate makes cmd a process group that dies when the thread that starts it does.
func separate(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// yield makes a child yield to others from now on: a slow request of one tenant must not slow down
// the fast ones of others. Only a privileged process could undo it.
func yield(cmd *exec.Cmd) {
	const lowest = 19
	_ = syscall.Setpriority(syscall.PRIO_PGRP, cmd.Process.Pid, lowest) // it may have gone
}

// executable is the program of this process, also if its file was replaced.
func executable() (string, error) { return "/proc/self/exe", nil }
