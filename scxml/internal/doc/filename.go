package doc

import (
	"errors"
	"io/fs"
	"path"
)

// FileName returns the name of the file, relative to the document's folder,
// that a src refers to.
func FileName(src string) (string, error) { return fileName(src) }

// OpenFile opens a regular file. It checks the kind of the file first, because opening a FIFO
// blocks until there is a writer.
func OpenFile(fsys fs.FS, name string) (fs.File, error) {
	if info, err := stat(fsys, name); err == nil {
		switch mode := info.Mode(); {
		case mode.IsDir():
			return nil, errors.New("it is a folder")
		case mode.Type() == fs.ModeSymlink:
			return nil, errors.New("it is a link out of the loader's folder, or to nothing: the loader needs a method Stat to check it")
		case !mode.IsRegular():
			return nil, errors.New("it is not a regular file")
		}
	}
	return fsys.Open(name)
}

// stat is like fs.Stat, but never opens the file. fs.Stat does if fsys has no method Stat, for
// example if fs.Sub returned it. Then stat follows links itself; for a link that leads out of fsys
// it returns the link.
func stat(fsys fs.FS, name string) (fs.FileInfo, error) {
	if _, ok := fsys.(fs.StatFS); ok {
		return fs.Stat(fsys, name)
	}
	for links := 0; ; links++ {
		info, err := fs.Lstat(fsys, name)
		if err != nil || info.Mode().Type() != fs.ModeSymlink {
			return info, err
		}
		target, err := fs.ReadLink(fsys, name)
		if err != nil {
			return nil, err
		}
		name = path.Join(path.Dir(name), target)
		if path.IsAbs(target) || !fs.ValidPath(name) || links > 40 {
			return info, nil
		}
	}
}

// Folder is like fs.Sub, but keeps the method Stat of fsys, for OpenFile.
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
