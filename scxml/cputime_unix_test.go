//go:build unix

package scxml_test

import (
	"syscall"
	"time"
)

// cpuTime returns the processor time that the process has used, 0 if it is not known.
func cpuTime() time.Duration {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
