package history

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// A recording is text. The first line is [Magic] and the format, the second a [Header] in JSON. The
// positions follow. Each has a line for each of its inputs, a record in its text form; a line that begins
// with a tab, with the digest of what they have caused and, if it changed, the configuration of the root;
// and an empty line. A position that is not complete at the end does not count: the program was killed.

// Magic is what each recording begins with.
const Magic = "scxml recording "

// format is the version of the format. It ends the first line.
const format = "1"

// snapshotLine begins the line with the snapshot of position 0 of a session that was restored, of a
// position that [History.Mark] has made, or of one after a step that was interrupted.
const snapshotLine = "\tsnapshot "

// fileLine begins the line with the name and the text of a file, as JSON.
const fileLine = "file "

// A Header is the beginning of a recording.
type Header struct {
	Chart  string    `json:"chart"` // see [scxml.Chart.Name]
	Hash   string    `json:"hash"`  // see [scxml.Chart.Hash]
	Seed   uint64    `json:"seed,string"`
	Start  time.Time `json:"start"`
	Digest int       `json:"digest"` // version of the digests, see [DigestVersion]

	// What the session was given: data, and by their names functions, services and Event I/O Processors.
	Data       map[string]json.RawMessage `json:"data,omitempty"`
	SessionID  string                     `json:"sessionid,omitempty"`
	Functions  []string                   `json:"functions,omitempty"`
	Services   []string                   `json:"services,omitempty"`
	Processors []string                   `json:"processors,omitempty"`
	Router     bool                       `json:"router,omitempty"` // it reached sessions of other trees

	Configuration []string `json:"configuration,omitempty"` // in which it began, see [scxml.WithConfiguration]

	Note
}

// A Note is what a host adds to the header, so that it can make the chart again. All of it is optional.
type Note struct {
	Version string            `json:"version,omitempty"` // of the program
	File    string            `json:"file,omitempty"`    // the document, one of Files
	Files   map[string]string `json:"files,omitempty"`   // the document and what it loads, by name
	Host    json.RawMessage   `json:"host,omitempty"`    // anything else
}

// DigestVersion is the version of the digests that this package writes. A recording with others can be
// replayed, but not compared.
const DigestVersion = 2

// A recordingWriter writes a recording. It belongs to the owner of the session, but for what mu guards.
type recordingWriter struct {
	digest digest
	moved  bool   // states of the root were entered or exited
	early  []byte // lines of the position that comes next
	begun  bool   // there is a position
	ended  []byte // snapshot after a step that was interrupted, see interrupted

	mu      sync.Mutex
	w       io.Writer
	out     []byte // to be written
	waiting bool   // flush is going to be called
	err     error
}

const (
	// flushAfter is how long a recording waits for more before it writes.
	flushAfter = 50 * time.Millisecond
	// flushSize is how many bytes it keeps at most.
	flushSize = 64 << 10
)

// trace returns the trace of what the session does.
func (t *recordingWriter) trace() *scxml.Trace {
	tr := t.digest.trace()
	enter, exit := tr.Enter, tr.Exit
	tr.Enter = func(s *scxml.Session, st scxml.State) { enter(s, st); t.moved = true }
	tr.Exit = func(s *scxml.Session, st scxml.State) { exit(s, st); t.moved = true }
	return tr
}

// interrupted reports whether a step has ended at a place where its replay would not: its context was
// done, or the time was over that its scripts may take.
func interrupted(s *scxml.Session, err error) bool {
	if err == nil {
		return false
	}
	limit := new(scxml.LimitError)
	return s.Status() == scxml.Running || errors.As(err, &limit) && limit.Limit == "MacrostepTime"
}

// begin writes the beginning, with position 0 if it is a snapshot.
func (t *recordingWriter) begin(h *History, s *scxml.Session, snapshot []byte) {
	header := h.header()
	var line bytes.Buffer
	e := json.NewEncoder(&line)
	e.SetEscapeHTML(false)
	t.err = e.Encode(header)
	t.out = fmt.Appendf(nil, "%s%s\n%s", Magic, format, line.Bytes())
	if t.err == nil && snapshot != nil {
		t.step(nil, s, snapshot)
	}
}

// header returns the header of the recording.
func (h *History) header() Header {
	header := Header{Chart: h.cfg.Chart.Name(), Hash: h.cfg.Chart.Hash(), Seed: h.seed, Start: h.start, Digest: DigestVersion, Note: h.cfg.Note}
	settings, err := scxml.SettingsOf(nil, scxml.Options(h.cfg.Options))
	if err != nil {
		return header // as New said
	}
	header.SessionID, header.Configuration, header.Processors = settings.SessionID, settings.Configuration, settings.Processors
	header.Router = slices.Contains(settings.Used, "WithRouter")
	header.Services = slices.Sorted(maps.Keys(settings.Invokers))
	for _, d := range settings.Data {
		if header.Data == nil {
			header.Data = map[string]json.RawMessage{}
		}
		header.Data[d.ID] = datamodel.AppendJSON(nil, d.Value)
	}
	for _, f := range settings.Funcs {
		header.Functions = append(header.Functions, f.Name)
	}
	return header
}

// step writes a position: with a snapshot if it was marked, or if the step was interrupted.
func (t *recordingWriter) step(inputs []byte, root *scxml.Session, snapshot []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if snapshot == nil && t.ended != nil {
		if snapshot, t.ended = t.ended, nil; t.begun {
			t.early = append(t.early, mark+"\n"...)
		}
	}
	t.begun = true
	t.out = append(append(t.out, t.early...), inputs...)
	t.early = t.early[:0]
	if snapshot != nil {
		t.out = append(append(t.out, snapshotLine...), snapshot...)
		t.digest, t.moved = 0, true // the configuration follows
	} else {
		t.out = t.appendCaused(t.out, root)
	}
	t.out = append(t.out, "\n\n"...)
	switch {
	case len(t.out) > flushSize || root.Status() != scxml.Running:
		t.flush()
	case !t.waiting:
		t.waiting = true
		time.AfterFunc(flushAfter, func() {
			t.mu.Lock()
			defer t.mu.Unlock()
			t.flush()
			t.waiting = false
		})
	}
}

// appendCaused appends the line about what a step has done.
func (t *recordingWriter) appendCaused(dst []byte, root *scxml.Session) []byte {
	var sum [8]byte
	binary.BigEndian.PutUint64(sum[:], uint64(t.digest))
	dst = hex.AppendEncode(append(dst, '\t'), sum[:])
	t.digest = 0
	if t.moved {
		t.moved = false
		names, err := json.Marshal(append([]string{}, root.Configuration()...))
		if err == nil { // strings
			dst = append(append(dst, ' '), names...)
		}
	}
	return dst
}

// flush writes. The caller holds mu.
func (t *recordingWriter) flush() {
	if t.err == nil && len(t.out) > 0 {
		_, t.err = t.w.Write(t.out)
	}
	t.out = t.out[:0]
}

// File notes a file that the chart has loaded after the start, for the recording. Only the owner of the
// session may call it.
func (h *History) File(name, text string) {
	if h.writer == nil {
		return
	}
	line, err := json.Marshal([2]string{name, text})
	if err == nil { // strings
		h.writer.early = append(append(append(h.writer.early, fileLine...), line...), '\n')
	}
}

// Close writes what waits to be written, and returns why the recording is not complete, or nil. Only the
// owner of the session may call it. If the session continues, so does the recording.
func (h *History) Close() error {
	if h.writer == nil {
		return nil
	}
	h.writer.mu.Lock()
	defer h.writer.mu.Unlock()
	h.writer.flush()
	if h.writer.err != nil {
		return fmt.Errorf("history: cannot write the recording: %w", h.writer.err)
	}
	return nil
}
