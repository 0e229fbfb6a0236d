//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package durable

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// openNoFollow makes opening a symbolic link fail, and opening a FIFO not wait.
const openNoFollow = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// lock locks a file until it is closed. It fails if another process holds the lock.
func lock(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) }

// own gives f the owner and the group of the file that it replaces, as far as the system
// allows, and returns the permissions that f gets. Those of a group are not for another one.
func own(f *os.File, replaced fs.FileInfo) fs.FileMode {
	mode := replaced.Mode().Perm()
	was := replaced.Sys().(*syscall.Stat_t)
	if f.Chown(int(was.Uid), int(was.Gid)) == nil || f.Chown(-1, int(was.Gid)) == nil {
		return mode
	}
	info, err := f.Stat()
	if err == nil && info.Sys().(*syscall.Stat_t).Gid == was.Gid {
		return mode
	}
	return mode&^0o070 | mode&0o007<<3
}

// rename renames f and then closes it, so that the lock is held until it has its new name.
func rename(f *os.File, name string) error {
	err := os.Rename(f.Name(), name)
	if err == nil {
		f.Close() // it has been synced, so nothing can be lost
	}
	return err
}

// discard removes f, unless another file has its name now, and closes it.
func discard(f *os.File) {
	if stillNamed(f) {
		os.Remove(f.Name()) // what is left is replaced the next time
	}
	f.Close()
}

// syncFolder makes the names in a folder survive a loss of power, if the file
// system can do that and the folder is readable.
func syncFolder(name string) error {
	folder, err := os.Open(name)
	if err != nil {
		return nil
	}
	defer folder.Close()
	if err := folder.Sync(); !errors.Is(err, syscall.EINVAL) && !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	return nil
}
