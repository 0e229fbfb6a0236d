//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package durable

import (
	"io/fs"
	"os"
	"time"
)

// openNoFollow has no effect here: links were ruled out before.
const openNoFollow = 0

// own returns the permissions of the file that is replaced: the owner comes from the folder.
func own(_ *os.File, replaced fs.FileInfo) fs.FileMode { return replaced.Mode().Perm() }

// rename closes f, as renaming requires, and renames it. Windows does not replace a file that is open, and
// programs that look for viruses or index files open each new one for a moment. So it tries for half a second.
func rename(f *os.File, name string) error {
	if err := f.Close(); err != nil {
		return err
	}
	for wait := time.Millisecond; ; wait *= 2 {
		err := os.Rename(f.Name(), name)
		if !inUse(err) || wait > time.Second/4 {
			return err
		}
		time.Sleep(wait)
	}
}

// discard closes f, as removing requires, and removes it.
func discard(f *os.File) {
	f.Close()
	os.Remove(f.Name()) // what is left is replaced the next time
}

// syncFolder does nothing: the system has no such call.
func syncFolder(string) error { return nil }
