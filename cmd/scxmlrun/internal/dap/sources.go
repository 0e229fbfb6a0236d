package dap

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/google/go-dap"

	"github.com/scxmlrun/scxmlrun/cmd/internal/file"
	"github.com/scxmlrun/scxmlrun/datamodel"
)

// A clientView is how the client counts and names places.
type clientView struct {
	lineBase, columnBase int // the number of the first one, 0 or 1
	uri                  bool
}

// sources translates places. Positions count characters from 1; the protocol counts UTF-16 units.
type sources struct {
	clientView
	dir  string                                        // file names are relative to it
	text func(name string) (source string, known bool) // of a document of the run

	mu   sync.Mutex         // for what follows
	all  map[string]*source // by the name in positions
	refs []*source          // without a file: the reference of refs[0] is 1
}

// A source is a file with a part of the chart.
type source struct {
	name  string
	lines []string
	text  string
	dap   dap.Source
}

// source returns the file with the name that positions have.
func (s *sources) source(name string) *source {
	s.mu.Lock()
	defer s.mu.Unlock()
	if src := s.all[name]; src != nil {
		return src
	}
	src := &source{name: name, dap: dap.Source{Name: filepath.Base(filepath.FromSlash(name))}}
	path := filepath.FromSlash(name)
	if !filepath.IsAbs(path) {
		path = filepath.Join(s.dir, path)
	}
	onDisk, err := file.ReadRegular(path, maxMessage)
	text, known := s.text(name)
	if !known && err == nil {
		text, known = string(onDisk), true
	}
	src.text, src.lines = text, strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	switch {
	case err == nil && sameText(string(onDisk), text):
		src.dap.Path = s.clientPath(path)
	case known: // built in, in a recording, or changed since
		s.refs = append(s.refs, src)
		src.dap.SourceReference = len(s.refs)
		src.dap.Origin = "as it was when the session began"
	default:
		src.dap.Path = s.clientPath(path)
	}
	if s.all == nil {
		s.all = map[string]*source{}
	}
	s.all[name] = src
	return src
}

// sameText reports whether a file still has the text of a document, which is in UTF-8 without a byte
// order mark. A file in another encoding is not compared.
func sameText(onDisk, text string) bool {
	return strings.TrimPrefix(onDisk, "\uFEFF") == text || !utf8.ValidString(onDisk)
}

// find returns the file that the client names.
func (s *sources) find(d *dap.Source) (name string, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r := d.SourceReference; r > 0 {
		if r > len(s.refs) {
			return "", false
		}
		return s.refs[r-1].name, true
	}
	path := s.hostPath(d.Path)
	for name := range s.all {
		if own := s.hostPath(s.all[name].dap.Path); own != "" && file.Same(own, path) {
			return name, true
		}
	}
	return filepath.ToSlash(path), path != ""
}

// list returns the files that the client has heard of.
func (s *sources) list() []dap.Source {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := []dap.Source{}
	for _, name := range slices.Sorted(maps.Keys(s.all)) {
		all = append(all, s.all[name].dap)
	}
	return all
}

func (s *sources) clientPath(path string) string {
	if !s.uri {
		return path
	}
	return file.URI(path)
}

func (s *sources) hostPath(path string) string {
	if local := file.FromURI(path); s.uri && local != "" {
		return local
	}
	return filepath.FromSlash(path)
}

// line returns the text of a line, "" if it is not known.
func (src *source) line(n int) string {
	if n < 1 || n > len(src.lines) {
		return ""
	}
	return src.lines[n-1]
}

// place returns the line and the column of a position as the client counts.
func (s *sources) place(p datamodel.Position) (line, column int) {
	units := p.Col - 1
	for i, r := range []rune(s.source(p.File).line(p.Line)) {
		if i >= p.Col-1 {
			break
		}
		if utf16.RuneLen(r) == 2 {
			units++
		}
	}
	return p.Line - 1 + s.lineBase, max(units, 0) + s.columnBase
}

// column returns the column of a position, given that of the client.
func (s *sources) column(name string, line, column int) int {
	units, col := column-s.columnBase, 1
	for _, r := range s.source(name).line(line) {
		if units -= max(utf16.RuneLen(r), 1); units < 0 {
			break
		}
		col++
	}
	return col + max(units, 0)
}
