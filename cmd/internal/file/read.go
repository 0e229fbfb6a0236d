package file

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"syscall"
)

// MaxInput is how many bytes a file of data, puzzles or test results may have.
const MaxInput = 64 << 20

// Read returns the content of the file called name, which may be a pipe or a
// device without end: one of more than limit bytes is an error, and no more than
// that is read.
func Read(name string, limit int64) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() <= limit {
		content, err := ReadUpTo(f, limit)
		if err != nil || int64(len(content)) <= limit {
			return content, err
		}
	}
	return nil, fmt.Errorf("it is larger than %d bytes", limit)
}

// ReadUpTo reads r, and one byte more than limit if it has more.
func ReadUpTo(r io.Reader, limit int64) ([]byte, error) {
	return io.ReadAll(io.LimitReader(r, min(limit, math.MaxInt64-1)+1))
}

// errIrregular is why a [Folder] does not open a file.
var errIrregular = errors.New("it is not a regular file")

// A Folder is a folder as an [fs.FS]. Links do not lead out of it, and all that
// it opens is regular files and folders: opening a FIFO would wait for a writer,
// and opening a device may do anything.
type Folder struct{ root *os.Root }

// OpenFolder opens the folder called name.
func OpenFolder(name string) (*Folder, error) {
	root, err := os.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	return &Folder{root}, nil
}

// Close closes the folder, but not the files that were opened in it.
func (f *Folder) Close() error { return f.root.Close() }

// Open opens a file or a folder for reading.
func (f *Folder) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	info, err := f.root.Stat(name)
	if err != nil {
		return nil, err
	}
	if err := regularOrFolder(name, info); err != nil {
		return nil, err
	}
	// Somebody may have replaced it since: then the open does not wait, and it
	// is looked at again.
	file, err := f.root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	info, err = file.Stat()
	if err == nil {
		err = regularOrFolder(name, info)
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

func regularOrFolder(name string, info fs.FileInfo) error {
	if !info.Mode().IsRegular() && !info.IsDir() {
		return &fs.PathError{Op: "open", Path: name, Err: errIrregular}
	}
	return nil
}
