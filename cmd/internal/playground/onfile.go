//go:build !js

package playground

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/scxmlrun/scxmlrun/cmd/internal/durable"
	"github.com/scxmlrun/scxmlrun/cmd/internal/file"
	"github.com/scxmlrun/scxmlrun/scxml/editor"
)

// A File is the file that a page edits, the only one that it can write. It is saved whole or not at all, in
// its encoding, and lines that are not changed keep their ends. It is safe for concurrent use.
type File struct {
	name string

	mu    sync.Mutex
	given []version // that pages have, the last ones
}

// A version is a text of the file.
type version struct{ mark, text string }

const maxVersions = 64

// NewFile returns a file for [Server.Edit]. It fails if the file cannot be read, or is a link that leads out
// of its folder.
func NewFile(name string) (*File, error) {
	name, err := filepath.Abs(name)
	if err != nil {
		return nil, err
	}
	f := &File{name: name}
	_, _, _, err = f.read()
	return f, err
}

// target returns the file that the name leads to now, which is in the folder of the name.
func (f *File) target() (string, error) {
	to, err := filepath.EvalSymlinks(f.name)
	if err != nil {
		return "", err
	}
	dir, err := filepath.EvalSymlinks(filepath.Dir(f.name))
	if err != nil {
		return "", err
	}
	if inside, err := filepath.Rel(dir, to); err != nil || !filepath.IsLocal(inside) {
		return "", errors.New("it is a link that leads out of its folder: name the file itself")
	}
	return to, nil
}

// read returns the text of the file and what writes one.
func (f *File) read() (text, name string, encode func(string) ([]byte, error), err error) {
	if name, err = f.target(); err != nil {
		return "", "", nil, err
	}
	source, err := file.ReadRegular(name, maxSource)
	if err != nil {
		return "", "", nil, err
	}
	text, encode, err = editor.Decode(source)
	return text, name, encode, err
}

// plain is how a page has a text: with one kind of line ends, and no byte order mark.
func plain(text string) string {
	return strings.TrimPrefix(strings.ReplaceAll(text, "\r\n", "\n"), "\ufeff")
}

func markOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:12])
}

// onFile is what is said about the file, in both directions.
type onFile struct {
	Name  string `json:"name,omitempty"`
	Text  string `json:"text"`
	Mark  string `json:"mark"`            // of the text of the file that the page knows
	Force bool   `json:"force,omitempty"` // save over what another program has written
	// Merged says that Text has what another program has written too.
	Merged bool `json:"merged,omitempty"`
	// Conflict says that nothing was saved: another program has changed the same lines. Text is what it wrote.
	Conflict bool `json:"conflict,omitempty"`
}

func (f *File) give(text string) string {
	mark := markOf(text)
	if !slices.ContainsFunc(f.given, func(v version) bool { return v.mark == mark }) {
		if f.given = append(f.given, version{mark, text}); len(f.given) > maxVersions {
			f.given = slices.Delete(f.given, 0, 1)
		}
	}
	return mark
}

// serve answers GET with the text of the file, and saves what is posted.
func (f *File) serve(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if r.Method != http.MethodPost {
		text, _, _, err := f.read()
		if err != nil {
			http.Error(w, fmt.Sprintf("cannot read %s: %v", filepath.Base(f.name), durable.Cause(err)), http.StatusConflict)
			return
		}
		answer(w, onFile{Name: filepath.Base(f.name), Text: plain(text), Mark: f.give(text)})
		return
	}
	body, ok := read(w, r)
	if !ok {
		return
	}
	var in onFile
	if err := json.Unmarshal(body, &in); err != nil {
		http.Error(w, fmt.Sprintf("cannot read the request: %v", err), http.StatusBadRequest)
		return
	}
	out, err := f.save(in)
	if err != nil {
		http.Error(w, fmt.Sprintf("cannot save %s, which is as it was: %v", filepath.Base(f.name), durable.Cause(err)), http.StatusConflict)
		return
	}
	answer(w, out)
}

// save writes a text into the file. If another program has changed that, it writes both changes if they are
// of different lines, and otherwise nothing.
func (f *File) save(in onFile) (onFile, error) {
	theirs, name, encode, err := f.read()
	if err != nil {
		return onFile{}, err
	}
	ours := in.Text
	merged := false
	if markOf(theirs) != in.Mark && !in.Force {
		i := slices.IndexFunc(f.given, func(v version) bool { return v.mark == in.Mark })
		if i >= 0 {
			ours, merged = merge(plain(f.given[i].text), in.Text, plain(theirs))
		}
		if !merged {
			return onFile{Text: plain(theirs), Mark: f.give(theirs), Conflict: true}, nil
		}
	}
	text := withEnds(theirs, ours)
	bytes, err := encode(text)
	if err != nil {
		return onFile{}, err
	}
	if text != theirs {
		r, err := durable.Replace(name, 0o666)
		if err != nil {
			return onFile{}, err
		}
		if _, err := r.Write(bytes); err != nil {
			r.Discard()
			return onFile{}, err
		}
		if err := r.Commit(); err != nil {
			return onFile{}, err
		}
	}
	return onFile{Text: ours, Mark: f.give(text), Merged: merged}, nil
}

// merge returns a text with the changes of two others, and false if they are not of different lines.
func merge(base, ours, theirs string) (string, bool) {
	if ours == theirs || base == ours {
		return theirs, true
	}
	old := strings.SplitAfter(base, "\n")
	from1, to1, lines1 := changed(old, strings.SplitAfter(ours, "\n"))
	from2, to2, lines2 := changed(old, strings.SplitAfter(theirs, "\n"))
	if from1 > from2 {
		from1, to1, lines1, from2, to2, lines2 = from2, to2, lines2, from1, to1, lines1
	}
	if to1 >= from2 {
		return "", false
	}
	return strings.Join(slices.Concat(old[:from1], lines1, old[to1:from2], lines2, old[to2:]), ""), true
}

// changed returns which lines are replaced by others.
func changed(old, lines []string) (from, to int, by []string) {
	for from < min(len(old), len(lines)) && old[from] == lines[from] {
		from++
	}
	same := 0
	for same < min(len(old), len(lines))-from && old[len(old)-1-same] == lines[len(lines)-1-same] {
		same++
	}
	return from, len(old) - same, lines[from : len(lines)-same]
}

// withEnds returns a text of a page with the byte order mark and the line ends of the file: each line has the
// end that it had, and a new one that of the first line.
func withEnds(before, text string) string {
	first, _, _ := strings.Cut(before, "\n")
	crlf := strings.HasSuffix(first, "\r")
	left := strings.SplitAfter(strings.TrimPrefix(before, "\ufeff"), "\n")
	var b strings.Builder
	if strings.HasPrefix(before, "\ufeff") {
		b.WriteString("\ufeff")
	}
	lines := strings.SplitAfter(text, "\n")
	plainLeft := make([]string, len(left))
	for i, line := range left {
		plainLeft[i] = strings.ReplaceAll(line, "\r\n", "\n")
	}
	from, to, _ := changed(plainLeft, lines)
	next := from // of the old lines, the first that no new line has taken its end from
	for i, line := range lines {
		switch back := len(lines) - i; {
		case i < from:
			b.WriteString(left[i])
		case back <= len(left)-to:
			b.WriteString(left[len(left)-back])
		default:
			end := "\n"
			if j := slices.Index(plainLeft[next:to], line); j >= 0 {
				b.WriteString(left[next+j])
				next += j + 1
				continue
			}
			if crlf {
				end = "\r\n"
			}
			b.WriteString(strings.ReplaceAll(line, "\n", end))
		}
	}
	return b.String()
}

// Folder returns the folder of the file.
func (f *File) Folder() string { return filepath.Dir(f.name) }
