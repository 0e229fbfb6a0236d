// Package recording writes recordings of runs, and reads them again with the charts that they have inside.
package recording

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"sync"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
	"github.com/scxmlrun/scxmlrun/scxml/history"
)

// Host is what scxmlrun notes in a recording.
type Host struct {
	Limits []string `json:"limits,omitempty"` // of --limit
	Strict bool     `json:"strict,omitempty"`
	Bound  bool     `json:"bound,omitempty"` // the limits are those of --strict, without the rest: with --isolate
}

// A Writer writes a recording of a run to a file.
type Writer struct {
	name    string
	file    *os.File
	note    history.Note
	loaded  *loaded
	history *history.History
	written bool
	err     error
}

// privateMode is the mode of a recording, because the data of a session may be private.
const privateMode = 0o600

// Create makes the file of a recording, which must not exist: a run that was recorded is not lost by
// another one.
func Create(name string, host Host) (*Writer, error) {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, privateMode)
	if errors.Is(err, fs.ErrExist) {
		return nil, cli.Usagef("--record: %q exists; name another file, or remove it", name)
	}
	if err != nil {
		return nil, cli.Usagef("--record: cannot write %q: %v", name, cli.Plain(err))
	}
	about, err := json.Marshal(host)
	if err != nil {
		return nil, err
	}
	return &Writer{name: name, file: f, note: history.Note{Version: cli.Version(), Host: about}}, nil
}

// Folder returns a folder for the chart, whose files the recording keeps when the chart loads them.
func (w *Writer) Folder(file string, source []byte, folder fs.FS) fs.FS {
	w.note.File = filepath.ToSlash(file)
	w.loaded = &loaded{FS: folder, files: map[string]string{filepath.Base(file): string(source)}}
	return w.loaded
}

// Note returns what the recording says about itself, without the files.
func (w *Writer) Note(file string) history.Note {
	w.note.File = filepath.ToSlash(file)
	return w.note
}

// Write writes a part of the recording. Close returns its error, too.
func (w *Writer) Write(p []byte) (n int, err error) {
	if w.err == nil {
		n, w.err = w.file.Write(p)
	}
	w.written = w.written || n > 0
	return n, w.err
}

// Listen is for a [drive.Config].
func (w *Writer) Listen(chart *scxml.Chart, options []scxml.Option) (drive.Listener, error) {
	w.note.Files = w.loaded.take()
	h, err := history.New(history.Config{Chart: chart, Options: options, Recording: w, Note: w.note, Bytes: -1})
	if err != nil {
		return nil, err
	}
	w.history = h
	w.loaded.tell(h.File)
	return h, nil
}

// Close ends the recording: after that it survives a loss of power. The error says why it is not
// complete.
func (w *Writer) Close() error {
	if w.history != nil {
		_ = w.history.Close() // has the error of Write
	}
	err := cmp.Or(w.err, w.file.Sync(), w.file.Close())
	if !w.written { // there was no run, or no room for any of it
		err = cmp.Or(err, os.Remove(w.name))
	}
	if err != nil {
		return fmt.Errorf("--record %s: %w", w.name, cli.Plain(err))
	}
	return nil
}

// loaded is a folder that notes which files were read, and what they were.
type loaded struct {
	fs.FS
	mu    sync.Mutex
	files map[string]string
	later func(name, text string) // told instead
}

func (l *loaded) take() map[string]string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return maps.Clone(l.files)
}

func (l *loaded) tell(f func(name, text string)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.later = f
}

// Stat returns what is known about a file without reading it.
func (l *loaded) Stat(name string) (fs.FileInfo, error) { return fs.Stat(l.FS, name) }

// Open opens a file.
func (l *loaded) Open(name string) (fs.File, error) {
	f, err := l.FS.Open(name)
	if err != nil {
		return nil, err
	}
	return &reading{File: f, name: name, of: l}, nil
}

// reading is a file that is being read.
type reading struct {
	fs.File
	name string
	text []byte
	of   *loaded
}

func (r *reading) Read(p []byte) (int, error) {
	n, err := r.File.Read(p)
	r.text = append(r.text, p[:n]...)
	return n, err
}

// Close notes what was read.
func (r *reading) Close() error {
	r.of.mu.Lock()
	defer r.of.mu.Unlock()
	if r.of.later != nil {
		r.of.later(r.name, string(r.text))
	} else {
		r.of.files[r.name] = string(r.text)
	}
	return r.File.Close()
}
