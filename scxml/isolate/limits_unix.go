//go:build unix

package isolate

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// limitProcess limits this process. memory is what its data may grow by. It has all the files that
// it needs: no script and no mistake opens another one, or a connection. It returns what it could not
// limit.
func limitProcess(memory int64) (missing []string) {
	shortenTurns()
	runtime.GOMAXPROCS(1) // one tenant, one processor
	if err := limitMemory(memory); err != nil {
		missing = append(missing, "the memory: "+err.Error())
	}
	for _, l := range []struct {
		resource int
		value    uint64
		name     string
	}{
		{syscall.RLIMIT_NOFILE, 0, "open files"},
		{syscall.RLIMIT_FSIZE, 0, "the size of files"},
		{syscall.RLIMIT_CORE, 0, "core dumps"},
	} {
		if err := setLimit(l.resource, l.value, l.value); err != nil {
			missing = append(missing, l.name+": "+err.Error())
		}
	}
	if err := rearm(); err != nil {
		missing = append(missing, "the processor time: "+err.Error())
	}
	over := make(chan os.Signal, 1)
	signal.Notify(over, syscall.SIGXCPU) // which Go ignores otherwise
	go func() {
		<-over
		fmt.Fprintln(os.Stderr, tooMuchTime)
		os.Exit(1)
	}()
	return missing
}

func setLimit(resource int, soft, hard uint64) error {
	var l syscall.Rlimit
	set(&l.Cur, soft)
	set(&l.Max, hard)
	return syscall.Setrlimit(resource, &l)
}

// set hides that the type of limits differs between systems.
func set[T int64 | uint64](to *T, v uint64) { *to = T(v) }

// processorTime is how many seconds of processor time a child may use after a request has come. The
// parent's deadline is shorter; this is for a child whose parent was stopped.
const processorTime = 60

var armed time.Time

// rearm grants processor time for the present request.
func rearm() error {
	if time.Since(armed) < time.Second {
		return nil
	}
	armed = time.Now()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return err
	}
	const forever = 1<<63 - 1
	return setLimit(syscall.RLIMIT_CPU, uint64(used.Utime.Sec+used.Stime.Sec)+processorTime, forever)
}

// commandPipes returns the pipes from and to the parent. They do not block a thread, so that one
// processor is enough. Standard input and output are closed, and so is everything else but standard
// error.
func commandPipes() (in, out *os.File, err error) {
	closeInherited()
	var files [2]*os.File
	for i, std := range []*os.File{os.Stdin, os.Stdout} {
		fd, err := syscall.Dup(i)
		if err != nil {
			return nil, nil, err
		}
		if err := syscall.SetNonblock(fd, true); err != nil {
			return nil, nil, err
		}
		files[i] = os.NewFile(uintptr(fd), "parent")
		std.Close()
	}
	return files[0], files[1], nil
}

// closeInherited closes the files that the parent itself had inherited: unlike those that a Go program
// opens they are not closed on exec.
func closeInherited() {
	files, _ := os.ReadDir("/dev/fd") // where it is missing they stay open
	for _, f := range files {
		fd, err := strconv.Atoi(f.Name())
		if err != nil || fd <= 2 {
			continue
		}
		if flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0); err == nil && flags&unix.FD_CLOEXEC == 0 {
			_ = unix.Close(fd) // it was open
		}
	}
}

// kill kills a child and all that it may have started.
func kill(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) } // it may have gone

// wasKilled reports whether SIGKILL ended a process.
func wasKilled(state *os.ProcessState) bool {
	status, ok := state.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGKILL
}
