package lsp

import (
	"os"
	"path/filepath"
	"sync"

	"github.com/scxmlrun/scxmlrun/cmd/internal/file"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// A tempFolder is a folder for what the client should show. It is made when it is first needed.
type tempFolder struct {
	mu    sync.Mutex
	path  string
	pages sync.Map // the URIs of explanations, by code
}

// write writes a file and returns its URI.
func (t *tempFolder) write(name string, content []byte) (uri string, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.path == "" {
		if t.path, err = os.MkdirTemp("", "scxmlrun-lsp-"); err != nil {
			return "", err
		}
	}
	name = filepath.Join(t.path, name)
	return file.URI(name), os.WriteFile(name, content, 0o600)
}

// explanation returns the URI of a page with an explanation, or "" if there is none or it cannot be written.
func (t *tempFolder) explanation(e scxml.Explanation) string {
	if e.Code == "" {
		return ""
	}
	uri, known := t.pages.Load(e.Code)
	if !known {
		written, err := t.write(e.Code+".md", []byte(explanation(e)))
		if err != nil {
			written = ""
		}
		uri = written
		t.pages.Store(e.Code, uri)
	}
	return uri.(string)
}

func (t *tempFolder) remove() {
	if t.path != "" {
		_ = os.RemoveAll(t.path) // what is left of it harms nobody
	}
}
