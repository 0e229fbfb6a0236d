package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sync"

	"github.com/andybalholm/brotli"
)

// compressible are the endings of files that compression makes smaller.
var compressible = []string{".css", ".html", ".js", ".json", ".scxml", ".svg", ".wasm", ".webmanifest"}

// A compression is a way to make files smaller.
type compression struct {
	encoding, ending string
	writer           func(io.Writer) (io.WriteCloser, error)
}

// compressions returns those that are wanted.
func (f *folder) compressions() (all []compression) {
	if slices.Contains(f.encodings, "gzip") {
		all = append(all, compression{"gzip", ".gz", func(w io.Writer) (io.WriteCloser, error) {
			return gzip.NewWriterLevel(w, gzip.BestCompression)
		}})
	}
	if slices.Contains(f.encodings, "br") {
		all = append(all, compression{"br", ".br", func(w io.Writer) (io.WriteCloser, error) {
			return brotli.NewWriterOptions(w, brotli.WriterOptions{Quality: f.quality, LGWin: 24}), nil // the largest window of browsers
		}})
	}
	return all
}

// compress writes compressed files, and reports the sizes of the programs.
func (f *folder) compress() error {
	var names []string
	err := f.each(func(name string) error {
		if slices.Contains(compressible, path.Ext(name)) {
			names = append(names, name)
		}
		return nil
	})
	if err != nil {
		return err
	}
	compressions := f.compressions()
	var all sync.WaitGroup
	reports, errs := make([]string, len(names)), make([]error, len(names))
	for i, name := range names {
		all.Go(func() { reports[i], errs[i] = f.compressFile(name, compressions) })
	}
	all.Wait()
	for _, report := range reports {
		fmt.Print(report)
	}
	return errors.Join(errs...)
}

// compressFile writes a file in each compression that makes it smaller. The original is removed if
// nobody wants it.
func (f *folder) compressFile(name string, compressions []compression) (report string, err error) {
	original := filepath.Join(f.dir, filepath.FromSlash(name))
	content, err := os.ReadFile(original)
	if err != nil {
		return "", err
	}
	isProgram := path.Ext(name) == ".wasm"
	report = fmt.Sprintf("%s: %.2f MB", name, float64(len(content))/1e6)
	written := false
	for _, c := range compressions {
		packed, err := c.pack(content)
		if err != nil {
			return "", err
		}
		report += fmt.Sprintf(", %s %.2f MB", c.encoding, float64(len(packed))/1e6)
		if most := f.bound(name, c.encoding); len(packed) > most {
			return "", fmt.Errorf("%s has %d bytes in the encoding %s: want at most %d", name, len(packed), c.encoding, most)
		}
		if len(packed) >= len(content) {
			continue
		}
		if err := f.write(name+c.ending, packed); err != nil {
			return "", err
		}
		written = true
	}
	if written && !slices.Contains(f.encodings, "identity") {
		err = os.Remove(original)
	}
	if !isProgram {
		return "", err
	}
	return report + "\n", err
}

// bound returns how many bytes a file may have in an encoding.
func (f *folder) bound(name, encoding string) int {
	for _, p := range programs {
		switch {
		case p.to != name:
		case encoding == "gzip":
			return p.gzip
		case f.quality >= 10:
			return p.brotli
		}
	}
	return math.MaxInt
}

// pack compresses. Equal contents become equal bytes: there are no names and no times in them.
func (c *compression) pack(content []byte) ([]byte, error) {
	var b bytes.Buffer
	w, err := c.writer(&b)
	if err == nil {
		_, err = w.Write(content)
	}
	if err == nil {
		err = w.Close()
	}
	return b.Bytes(), err
}
