//go:build unix

package bench

import (
	"syscall"
	"time"
)

// spent returns the user processor time of this process.
func spent() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err) // cannot happen
	}
	return time.Duration(usage.Utime.Nano())
}
