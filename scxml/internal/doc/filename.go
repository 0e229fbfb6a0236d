package doc

import (
	"errors"
	"io/fs"
	"path"
)

// FileName returns the name of the file, relative to the document's folder,
// that a src refers to.
func FileName(src string) (string, error) { return fileName(src) }

// OpenFile opens a regular file. It asks before what the file is, because to
// open a FIFO waits for whoever writes to it.
func OpenFile(fsys fs.FS, name string) (fs.File, error) {
	stat := fs.Stat
	if _, ok := fsys.(fs.StatFS); !ok {
		stat = fs.Lstat // fs.Stat would open the file: what fs.Sub returns can do no better
	}
	if info, err := stat(fsys, name); err == nil {
		switch mode := info.Mode(); {
		case mode.IsDir():
			return nil, errors.New("it is a folder")
		case !mode.IsRegular() && mode.Type() != fs.ModeSymlink:
			return nil, errors.New("it is not a regular file")
		}
	}
	return fsys.Open(name)
}

// Folder is fs.Sub for OpenFile: it keeps the Stat of fsys.
func Folder(fsys fs.FS, dir string) (fs.FS, error) {
	sub, err := fs.Sub(fsys, dir)
	if err != nil || dir == "." {
		return sub, err
	}
	return folder{sub, fsys, dir}, nil
}

type folder struct {
	fs.FS
	of  fs.FS
	dir string
}

func (f folder) Stat(name string) (fs.FileInfo, error) { return fs.Stat(f.of, path.Join(f.dir, name)) }
