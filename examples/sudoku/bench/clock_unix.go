//go:build unix

package bench

import (
	"syscall"
	"time"
)

// spent returns the time that the processors have spent on this process.
func spent() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err) // there is nothing that could be wrong
	}
	return time.Duration(usage.Utime.Nano())
}
