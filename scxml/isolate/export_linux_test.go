package isolate

import "syscall"

// MaxRSS waits for the child to end and returns the most memory that it had, in bytes.
func (t *Tenant) MaxRSS() int64 {
	<-t.proc.ended
	return int64(t.proc.cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss) << 10
}
