package isolate

import (
	"os"
	"os/exec"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// limitProcess puts this process into a job that limits its memory and the number of its processes.
// The parent's deadline bounds its processor time.
func limitProcess(memory int64) (missing []string) {
	job, err := windows.CreateJobObject(nil, nil)
	if err == nil {
		var info windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
		info.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_PROCESS_MEMORY |
			windows.JOB_OBJECT_LIMIT_ACTIVE_PROCESS | windows.JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION
		info.BasicLimitInformation.ActiveProcessLimit = 1
		info.ProcessMemoryLimit = uintptr(memory + childSpare/2)
		_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
			uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)))
	}
	if err == nil {
		err = windows.AssignProcessToJobObject(job, windows.CurrentProcess()) // open until the process ends
	}
	if err != nil {
		missing = append(missing, "the memory: "+err.Error())
	}
	return missing
}

func rearm() error { return nil }

func commandPipes() (in, out *os.File, err error) { return os.Stdin, os.Stdout, nil }

func separate(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{HideWindow: true} }

func kill(cmd *exec.Cmd) { _ = cmd.Process.Kill() } // it may have gone

func wasKilled(*os.ProcessState) bool { return false }
