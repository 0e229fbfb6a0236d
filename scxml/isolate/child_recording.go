package isolate

import (
	"path"
	"sync"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
	"github.com/scxmlrun/scxmlrun/scxml/history"
)

// A recording of a driver's session collects what is written until the next answer.
type recording struct {
	note    history.Note
	history *history.History // nil until the session is made

	mu  sync.Mutex
	out []byte
}

// newRecording returns a recording of a session of a document, whose files it keeps.
func newRecording(doc *document, note *history.Note) *recording {
	r := &recording{note: *note}
	r.note.Files = map[string]string{path.Base(note.File): string(doc.Source)}
	doc.loaded = func(name, text string) {
		if r.history != nil {
			r.history.File(name, text)
		} else {
			r.note.Files[name] = text
		}
	}
	return r
}

// listen is for a [drive.Config].
func (r *recording) listen(chart *scxml.Chart, options []scxml.Option) (_ drive.Listener, err error) {
	r.history, err = history.New(history.Config{Chart: chart, Options: options, Recording: r, Note: r.note, Bytes: -1})
	return r.history, err
}

func (r *recording) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.out = append(r.out, p...)
	return len(p), nil
}

// take returns what is new.
func (r *recording) take() []byte {
	_ = r.history.Close() // writes what waits, which does not fail
	r.mu.Lock()
	defer r.mu.Unlock()
	out := r.out
	r.out = nil
	return out
}
