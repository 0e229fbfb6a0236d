//go:build unix

package bolt

import (
	"io/fs"
	"os"
	"syscall"

	"go.etcd.io/bbolt"
)

// own gives a file the owner, the group and the permissions of the one that it replaces.
func own(name string, replaced fs.FileInfo) error {
	was := replaced.Sys().(*syscall.Stat_t)
	if err := os.Chown(name, int(was.Uid), int(was.Gid)); err != nil {
		return err
	}
	return os.Chmod(name, replaced.Mode().Perm())
}

// rename replaces an open database, which remains locked.
func rename(_ *bbolt.DB, from, to string) error { return os.Rename(from, to) }
