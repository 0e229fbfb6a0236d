package file

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
)

// A Replacement is a file that is being written and takes the place of another
// one, or of none, when it is complete. Until [Replacement.Commit] returns nil
// the other one is as it was, whatever happens. It is an [io.Writer].
//
// What is written stands in a temporary file beside the other one, called
// ".NAME.tmp". One that was left when a process was killed is replaced by the
// next process that writes the file; one that a process is still writing makes
// [Replace] fail.
type Replacement struct {
	name string // of the file that is replaced, which is not a link
	mode fs.FileMode
	temp *os.File
	sync func(folder string) error // syncFolder; a test looks when it is called
}

// Replace begins to replace the file called name. A symbolic link stays a link,
// and the file that it leads to is replaced, or made if there is none. A file
// keeps its permissions, and a new one has those of mode.
func Replace(name string, mode fs.FileMode) (*Replacement, error) {
	name, err := follow(name)
	if err != nil {
		return nil, err
	}
	switch info, err := os.Lstat(name); {
	case err == nil && !info.Mode().IsRegular():
		return nil, errIrregular
	case err == nil:
		mode = info.Mode().Perm()
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	temp, err := createTemp(filepath.Join(filepath.Dir(name), "."+filepath.Base(name)+".tmp"))
	if err != nil {
		return nil, err
	}
	return &Replacement{name, mode, temp, syncFolder}, nil
}

// Write implements [io.Writer].
func (r *Replacement) Write(p []byte) (int, error) { return r.temp.Write(p) }

// Commit puts the file into its place, where it is even if the computer loses its
// power after that. If it fails nothing has changed, or if the disk fails at
// the very end, the file may be replaced.
func (r *Replacement) Commit() error {
	err := cmp.Or(r.temp.Chmod(r.mode), r.temp.Sync())
	if err == nil {
		err = rename(r.temp, r.name)
	}
	if err != nil {
		r.Discard()
		return err
	}
	return r.sync(filepath.Dir(r.name))
}

// Discard gives up: nothing has changed. It is to be called unless Commit is.
func (r *Replacement) Discard() { discard(r.temp) }

// Write replaces the file called name by one with the given content. See
// [Replace].
func Write(name string, content []byte, mode fs.FileMode) error {
	r, err := Replace(name, mode)
	if err != nil {
		return err
	}
	if _, err := r.Write(content); err != nil {
		r.Discard()
		return err
	}
	return r.Commit()
}

// maxLinks is how many symbolic links are followed, as Linux does it.
const maxLinks = 40

// follow returns the name of the file that name leads to. Its folder exists, and
// neither it nor the folder is a symbolic link.
func follow(name string) (string, error) {
	for range maxLinks {
		dir, base := filepath.Split(name)
		folder, err := filepath.EvalSymlinks(cmp.Or(dir, "."))
		if errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("the folder %q does not exist", filepath.Clean(dir))
		} else if err != nil {
			return "", err
		}
		name = filepath.Join(folder, base)
		info, err := os.Lstat(name)
		if errors.Is(err, fs.ErrNotExist) || err == nil && info.Mode()&fs.ModeSymlink == 0 {
			return name, nil
		} else if err != nil {
			return "", err
		}
		link, err := os.Readlink(name)
		if err != nil {
			return "", err
		}
		if !filepath.IsAbs(link) { // not Join, which takes "link/.." for nothing
			link = folder + string(filepath.Separator) + link
		}
		name = link
	}
	return "", fmt.Errorf("more than %d symbolic links lead to each other", maxLinks)
}

// createTemp makes the temporary file called name and locks it.
//
// Only who holds the lock of the file that has the name may remove or rename
// it. So nobody takes it from a process that writes it, and whose lock is free
// was left by one that was killed. What cannot be that is not touched.
func createTemp(name string) (*os.File, error) {
	for range 100 { // others may be doing the same
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
		if err == nil {
			if lock(f) == nil && stillNamed(f) {
				return f, nil
			}
			f.Close() // another process took it for one that was left
			continue
		} else if !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
		if err := removeLeft(name); err != nil {
			return nil, err
		}
	}
	return nil, fmt.Errorf("cannot replace the temporary file %q: remove it", name)
}

// removeLeft removes a temporary file that a process left when it was killed.
func removeLeft(name string) error {
	info, err := os.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%q is where the temporary file has to be, and it is not a regular file: remove it", name)
	}
	f, err := os.OpenFile(name, os.O_RDWR|openNoFollow, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return fmt.Errorf("cannot replace the temporary file %q: %w: remove it", name, cli.Plain(err))
	}
	if lock(f) != nil {
		f.Close()
		return fmt.Errorf("another process is writing it: its temporary file %q is in use", name)
	}
	discard(f)
	return nil
}

// stillNamed reports whether f is the file that has its name.
func stillNamed(f *os.File) bool {
	now, err := os.Lstat(f.Name())
	if err != nil {
		return false
	}
	opened, err := f.Stat()
	return err == nil && os.SameFile(now, opened)
}
