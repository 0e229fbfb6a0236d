package isolate

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// limitMemory limits what the memory of this process may grow by. RLIMIT_DATA counts all private
// memory that can be written, but Linux does not compare it with what a mapping adds to addresses that
// are reserved, as those of the Go runtime are: one large allocation could be of any size. RLIMIT_AS
// counts what is reserved. It can only be set once the Go runtime has started, which reserves a lot.
func limitMemory(growth int64) error {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return err
	}
	fields := bytes.Fields(text)
	if len(fields) < 6 {
		return errors.New("/proc/self/statm has no size of the data")
	}
	const arena = 64 << 20 // the Go runtime reserves multiples of this
	for _, limit := range []struct {
		resource, field int
		growth          int64
	}{{syscall.RLIMIT_DATA, 5, growth}, {syscall.RLIMIT_AS, 0, growth + arena}} {
		pages, err := strconv.ParseUint(string(fields[limit.field]), 10, 64)
		if err != nil {
			return err
		}
		most := pages*uint64(os.Getpagesize()) + uint64(limit.growth)
		if err := setLimit(limit.resource, most, most); err != nil {
			return err
		}
	}
	return nil
}

// shortenTurns asks for short turns on the processor: a child that works without a pause then delays
// those that answer at once by 0.1 ms, and not by the 3 ms of a usual turn. Threads that start later
// inherit it. Linux before 6.12 takes no notice.
func shortenTurns() {
	threads, _ := os.ReadDir("/proc/self/task") // limitMemory has told if there is no /proc
	for _, thread := range threads {
		id, err := strconv.Atoi(thread.Name())
		if err != nil {
			continue
		}
		if attr, err := unix.SchedGetAttr(id, 0); err == nil {
			attr.Runtime = uint64(100 * time.Microsecond)
			_ = unix.SchedSetAttr(id, attr, 0) // a courtesy to others
		}
	}
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

// worked returns the processor time of a child, or 0 if it has ended.
func worked(cmd *exec.Cmd) time.Duration {
	clock := int32(^cmd.Process.Pid<<3 | 2) // clock_getcpuclockid(3)
	var t unix.Timespec
	_ = unix.ClockGettime(clock, &t)
	return time.Duration(t.Nano())
}

// executable is the program of this process, also if its file was replaced.
func executable() (string, error) { return "/proc/self/exe", nil }
