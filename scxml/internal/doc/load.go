package doc

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"path"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/internal/xmltree"
)

// load reads the text file that src names.
func (p *parser) load(src string) (string, error) {
	name, err := fileName(src)
	if err != nil {
		return "", err
	}
	if p.opts.Loader == nil {
		return "", fmt.Errorf("%q: files are not read without a loader", abridge(src))
	}
	text, err := p.readFile(name)
	if err != nil {
		if pe := (*fs.PathError)(nil); errors.As(err, &pe) {
			err = pe.Err
		}
		return "", fmt.Errorf("%q: %w", abridge(src), err)
	}
	return text, nil
}

func (p *parser) readFile(name string) (text string, err error) {
	defer func() {
		if x := recover(); x != nil {
			text, err = "", fmt.Errorf("the loader panicked: %v", x)
		}
	}()
	f, err := OpenFile(p.opts.Loader, name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	left := p.opts.Limits.Size - p.loaded
	src, err := io.ReadAll(io.LimitReader(f, int64(left)+1))
	if err != nil {
		return "", err
	}
	if len(src) > left {
		return "", fmt.Errorf("the document and its files have more than %d bytes", p.opts.Limits.Size)
	}
	p.loaded += len(src)
	if p.sum != nil {
		fmt.Fprintf(p.sum, "\x00%s\x00%d\x00", name, len(src))
		p.sum.Write(src)
	}
	return xmltree.DecodeText(src)
}

// fileName returns the name of the file, relative to the document's folder,
// that src refers to. "file:x.js" is x.js, by the non-strict rule of RFC 3986, 5.2.2: the W3C's
// tests use such names.
func fileName(src string) (string, error) {
	refuse := func(why string) (string, error) {
		return "", fmt.Errorf("%q: %s", abridge(src), why)
	}
	name := strings.Trim(src, xmlSpace)
	if scheme, rest, ok := strings.Cut(name, ":"); ok && isScheme(scheme) {
		if !strings.EqualFold(scheme, "file") {
			return refuse("only files in the document's folder are read, not " + abridge(scheme) + ": URLs")
		}
		name = rest
	}
	if strings.HasPrefix(name, "/") {
		return refuse("only files in the document's folder are read, not absolute paths")
	}
	if strings.Contains(name, "%") {
		plain, err := url.PathUnescape(name)
		if err != nil {
			return refuse("it is not a URL")
		}
		name = plain
	}
	name = path.Clean(name)
	switch {
	case name == ".":
		return refuse("it does not name a file")
	case name == ".." || strings.HasPrefix(name, "../"):
		return refuse("it is outside the document's folder")
	case !fs.ValidPath(name) || strings.ContainsAny(name, "\\\x00"):
		return refuse("it is not a relative path with slashes")
	}
	return name, nil
}

// isScheme reports whether s can be the scheme of a URL.
func isScheme(s string) bool {
	for i, c := range strings.ToLower(s) {
		if (c < 'a' || c > 'z') && (i == 0 || (c < '0' || c > '9') && !strings.ContainsRune("+-.", c)) {
			return false
		}
	}
	return s != ""
}

// filePos returns the position of the beginning of the file that src names.
func (p *parser) filePos(src string) datamodel.Position {
	name, err := fileName(src)
	if err != nil {
		name = src
	}
	return datamodel.Position{File: path.Join(path.Dir(p.file), name), Line: 1, Col: 1}
}
