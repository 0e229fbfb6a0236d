//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package durable

import (
	"io/fs"
	"os"
)

// openNoFollow has no effect here: links were ruled out before.
const openNoFollow = 0

// lock does nothing: Windows does not remove a file that another process has open.
func lock(*os.File) error { return nil }

// own returns the permissions of the file that is replaced: the owner comes from the folder.
func own(_ *os.File, replaced fs.FileInfo) fs.FileMode { return replaced.Mode().Perm() }

// rename closes f, as renaming requires, and renames it.
func rename(f *os.File, name string) error {
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}

// discard closes f, as removing requires, and removes it.
func discard(f *os.File) {
	f.Close()
	os.Remove(f.Name()) // what is left is replaced the next time
}

// syncFolder does nothing: the system has no such call.
func syncFolder(string) error { return nil }
