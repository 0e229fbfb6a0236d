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

// MaxInput is the maximum size, in bytes, of a file of data, puzzles or test results.
const MaxInput = 64 << 20

// Read returns the content of the named file. More than limit bytes are an error,
// and are not read: the file may be a pipe or an endless device.
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
	return nil, fmt.Errorf("larger than %d bytes", limit)
}

// ReadRegular is Read for a file that the user has not named, as one in a folder: it refuses all but regular
// files.
func ReadRegular(name string, limit int64) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errIrregular
	}
	return Read(name, limit)
}

// ReadUpTo reads r, and one byte more than limit if it has more.
func ReadUpTo(r io.Reader, limit int64) ([]byte, error) {
	return io.ReadAll(io.LimitReader(r, min(limit, math.MaxInt64-1)+1))
}

// errIrregular is why a file is not opened.
var errIrregular = errors.New("not a regular file")

// A Folder is a folder as an [fs.FS]. Links do not lead out of it. It opens only
// regular files and folders: opening a FIFO would wait for a writer, and opening a
// device may have any effect.
type Folder struct{ root *os.Root }

// OpenFolder opens the named folder.
func OpenFolder(name string) (*Folder, error) {
	root, err := os.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	return &Folder{root}, nil
}

// Close closes the folder, but not the files opened in it.
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
	// It may have been replaced since. The open does not wait in that case, and
	// the file is checked again.
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
