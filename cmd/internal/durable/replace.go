package durable

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// A Replacement is a file that is being written and that replaces another file, if
// there is one, when it is complete. Whatever happens, the other file does not
// change until [Replacement.Commit] returns nil. A Replacement is an [io.Writer].
//
// It is written to a temporary file in the same folder, called ".NAME.tmp". If a
// process was killed and left one, the next process that writes the file replaces
// it. [Replace] fails while another process is writing the temporary file.
type Replacement struct {
	name     string      // of the file that is replaced, which is not a link
	replaced fs.FileInfo // nil: the file is new
	temp     *os.File

	syncTemp func() error              // temp.Sync; replaced in a test
	sync     func(folder string) error // syncFolder; replaced in a test
}

// errIrregular is why a file is not replaced.
var errIrregular = errors.New("not a regular file")

// Replace begins to replace the named file. A symbolic link remains: the file that
// it leads to is replaced or created. An existing file keeps its permissions, and its
// owner and group if the system allows that; if its group cannot be kept, the new group
// gets what all others may do. A new file gets the permissions of mode less the umask:
// 0666, or 0600 if it is private.
func Replace(name string, mode fs.FileMode) (*Replacement, error) {
	name, err := follow(name)
	if err != nil {
		return nil, err
	}
	replaced, err := os.Lstat(name)
	switch {
	case err == nil && !replaced.Mode().IsRegular():
		return nil, errIrregular
	case err == nil:
		mode = 0o600 // until Commit
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	temp, err := createTemp(filepath.Join(filepath.Dir(name), "."+filepath.Base(name)+".tmp"), mode)
	if err != nil {
		return nil, err
	}
	return &Replacement{name, replaced, temp, temp.Sync, syncFolder}, nil
}

// Write implements [io.Writer].
func (r *Replacement) Write(p []byte) (int, error) { return r.temp.Write(p) }

// Commit puts the file into its place, durably: it is there even after a loss of
// power. If Commit fails, nothing has changed, except that the file may have been
// replaced if the disk failed at the very end.
func (r *Replacement) Commit() error {
	var err error
	if r.replaced != nil {
		err = r.temp.Chmod(own(r.temp, r.replaced))
	}
	if err = cmp.Or(err, r.syncTemp()); err == nil {
		err = rename(r.temp, r.name)
	}
	if err != nil {
		r.Discard()
		return err
	}
	return r.sync(filepath.Dir(r.name))
}

// Discard removes the temporary file. Call it unless Commit is called.
func (r *Replacement) Discard() { discard(r.temp) }

// Cause returns the cause of an error without the names of files.
func Cause(err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return path.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}

// Write replaces the named file by one with the given content. See [Replace].
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

// maxLinks is how many symbolic links are followed, as on Linux.
const maxLinks = 40

// follow returns the name of the file that name leads to. Its folder exists, and
// neither the file nor the folder is a symbolic link.
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
		if !filepath.IsAbs(link) { // not Join, which removes "link/.."
			link = folder + string(filepath.Separator) + link
		}
		name = link
	}
	return "", fmt.Errorf("more than %d symbolic links lead to each other", maxLinks)
}

// createTemp makes the temporary file called name and locks it.
//
// Only the process that holds the lock of the file may remove or rename it. So no
// process takes it from another that is still writing, and an unlocked file was
// left by a process that was killed. Anything else of that name is not touched.
func createTemp(name string, mode fs.FileMode) (*os.File, error) {
	for range 100 { // other processes may be doing the same
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
		if err == nil {
			if lock(f) == nil && stillNamed(f) {
				return f, nil
			}
			f.Close() // another process considered it abandoned
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

// removeLeft removes a temporary file that a killed process left.
func removeLeft(name string) error {
	info, err := os.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%q has the name of the temporary file and is not a regular file: remove it", name)
	}
	f, err := os.OpenFile(name, os.O_RDWR|openNoFollow, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		var opening *fs.PathError
		if errors.As(err, &opening) {
			err = opening.Err // the name is there already
		}
		return fmt.Errorf("cannot replace the temporary file %q: %w: remove it", name, err)
	}
	if lock(f) != nil {
		f.Close()
		return fmt.Errorf("another process is writing it: its temporary file %q is in use", name)
	}
	discard(f)
	return nil
}

// stillNamed reports whether f is still the file of that name.
func stillNamed(f *os.File) bool {
	now, err := os.Lstat(f.Name())
	if err != nil {
		return false
	}
	opened, err := f.Stat()
	return err == nil && os.SameFile(now, opened)
}
