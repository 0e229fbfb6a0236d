//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package file

import "os"

// openNoFollow is nothing here: whether it is a link has been looked at.
const openNoFollow = 0

// lock does nothing: Windows does not remove a file that is open elsewhere.
func lock(*os.File) error { return nil }

// rename closes f, which is necessary before it is renamed, and renames it.
func rename(f *os.File, name string) error {
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}

// discard closes f, which is necessary before it is removed, and removes it.
func discard(f *os.File) {
	f.Close()
	os.Remove(f.Name()) // what is left is replaced the next time
}

// syncFolder does nothing: there is no such call.
func syncFolder(string) error { return nil }
