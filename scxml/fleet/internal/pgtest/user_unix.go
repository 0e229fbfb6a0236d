//go:build unix

package pgtest

import (
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"strconv"
	"syscall"
)

// other returns the user as whom root runs a server, or nil if the caller is not root.
func other() (*syscall.Credential, error) {
	if os.Getuid() != 0 {
		return nil, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, err := strconv.ParseUint(u.Uid, 10, 32)
		if err != nil {
			continue
		}
		gid, err := strconv.ParseUint(u.Gid, 10, 32)
		if err != nil {
			continue
		}
		return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, nil
	}
	return nil, fmt.Errorf("PostgreSQL does not run as root, and there is no user \"postgres\" or \"nobody\"")
}

// give makes a folder or file that of the user who runs the server.
func give(name string) error {
	cred, err := other()
	if cred == nil || err != nil {
		return err
	}
	return os.Chown(name, int(cred.Uid), int(cred.Gid))
}

// detach keeps signals for the test from a program, and makes it that user's.
func detach(cmd *exec.Cmd) {
	cred, _ := other() // give has reported the error
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Credential: cred}
}
