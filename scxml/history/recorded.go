package history

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/record"
)

// A Recording is a history that was written, see [Config].
type Recording struct {
	Header
	Torn   bool // the end is missing: the program was killed while it wrote
	steps  []taken
	size   int  // bytes of the inputs
	inside bool // see History
}

// A taken step has led to a position.
type taken struct {
	inputs []byte // lines
	caused []byte // a line
}

// Open reads a recording, and keeps its text. Bound a reader that is not trusted. The error says in which
// line the recording is damaged.
func Open(r io.Reader) (*Recording, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("history: cannot read the recording: %w", err)
	}
	first, text, _ := bytes.Cut(text, []byte{'\n'})
	version, ok := strings.CutPrefix(string(first), Magic)
	switch {
	case !ok:
		return nil, errors.New("history: not a recording")
	case version != format:
		return nil, fmt.Errorf("history: the recording has format %q, which this version does not know: want %s", version, format)
	}
	rec := &Recording{}
	about, text, _ := bytes.Cut(text, []byte{'\n'})
	if err := json.Unmarshal(about, &rec.Header); err != nil {
		return nil, fmt.Errorf("history: line 2 of the recording: %w", err)
	}
	line := 3
	for len(text) > 0 {
		position, rest, complete := bytes.Cut(text, []byte("\n\n"))
		if text[0] == '\n' {
			position, rest, complete = nil, text[1:], true
		}
		if !complete {
			rec.Torn = true
			break
		}
		step := taken{inputs: position[:0]} // which they are written over
		marks := 0
		for l := range bytes.Lines(position) {
			l = bytes.TrimSuffix(l, []byte{'\n'})
			if step.caused != nil {
				return nil, fmt.Errorf("history: line %d of the recording: want an empty line", line)
			} else if l[0] == '\t' {
				step.caused = l
			} else if name, ok := bytes.CutPrefix(l, []byte(fileLine)); ok {
				var f [2]string
				if err := json.Unmarshal(name, &f); err != nil {
					return nil, fmt.Errorf("history: line %d of the recording: %w", line, err)
				}
				if rec.Files == nil {
					rec.Files = map[string]string{}
				}
				rec.Files[f[0]] = f[1]
			} else if input, err := readInput(l); err != nil {
				return nil, fmt.Errorf("history: line %d of the recording: %w", line, err)
			} else {
				rec.inside = rec.inside || input.Line > 1
				if string(l) == mark {
					marks++
				}
				step.inputs = append(append(step.inputs, l...), '\n')
			}
			line++
		}
		// The first snapshot may be that of a session that was restored.
		if first := len(rec.steps) == 0; marks > 1 || marks == 1 && first || (marks == 1) != (step.marked() && !first) {
			return nil, fmt.Errorf("history: line %d of the recording: a mark and a snapshot go together", line-1)
		}
		line++
		rec.steps = append(rec.steps, step)
		rec.size += len(step.inputs) + 1
		text = rest
	}
	return rec, nil
}

// readInput reads the line of an input, or of a mark.
func readInput(line []byte) (r record.Record, err error) {
	if string(line) == mark {
		return r, nil
	}
	if number, rest, ok := bytes.Cut(line, []byte{refusal}); ok && len(bytes.Trim(number, "0123456789")) == 0 {
		line = rest
	}
	return record.ParseText(string(line))
}

// An Arrival is an event that has come from outside.
type Arrival struct {
	Time    time.Duration // since the start
	Session string        // id of the session that got it; "" for the root
	Event   scxml.Event
}

// Arrivals returns the events that have come from outside, those of services included, and when the last
// step was.
func (rec *Recording) Arrivals() (all []Arrival, end time.Duration) {
	for _, step := range rec.steps {
		for line := range strings.Lines(string(step.inputs)) {
			r, err := record.ParseText(strings.TrimSuffix(line, "\n"))
			if err != nil { // a mark, or a delivery that was refused
				continue
			}
			switch r.Kind {
			case record.Clock:
				end = r.Now.Sub(rec.Start)
			case record.Arrive:
				all = append(all, Arrival{end, r.Session, r.Event})
			}
		}
	}
	return all, end
}

// Stopped reports whether the last step was to stop the session.
func (rec *Recording) Stopped() bool {
	n := len(rec.steps)
	return n > 1 && slices.Contains(strings.Split(string(rec.steps[n-1].inputs), "\n"), record.Stop.String())
}

// Marked reports whether a position is a snapshot: what has led to it is not repeated. It is the first one
// of a session that was restored, one that [History.Mark] has made, or the end of a step that was
// interrupted.
func (rec *Recording) Marked(n int) bool { return rec.steps[n].marked() }

// Options returns options for a replay: the data, the session's id, the states in which it began, and
// services and Event I/O Processors that do nothing, as copies need no others. The functions are missing: add them.
func (rec *Recording) Options() ([]scxml.Option, error) {
	var opts []scxml.Option
	for id, text := range rec.Data {
		v, err := datamodel.ParseJSON(text)
		if err != nil {
			return nil, fmt.Errorf("history: data %q of the recording: %w", id, err)
		}
		opts = append(opts, scxml.WithData(id, v))
	}
	if rec.SessionID != "" {
		opts = append(opts, scxml.WithSessionID(rec.SessionID))
	}
	if rec.Configuration != nil {
		opts = append(opts, scxml.WithConfiguration(rec.Configuration...))
	}
	for _, typ := range rec.Services {
		opts = append(opts, scxml.WithInvoker(typ, scxml.InvokerFunc(nil)))
	}
	for _, typ := range rec.Processors {
		opts = append(opts, scxml.WithIOProcessor(typ, idle{}))
	}
	if rec.Router {
		opts = append(opts, scxml.WithRouter(new(scxml.Directory)))
	}
	return opts, nil
}

// idle is an Event I/O Processor of copies, which never send.
type idle struct{}

func (idle) Open(*scxml.Session) string                            { return "" }
func (idle) Close(*scxml.Session)                                  {}
func (idle) Send(*scxml.Session, scxml.Message, func(error)) error { return nil }

// Len returns the number of positions.
func (rec *Recording) Len() int { return len(rec.steps) }

// A Difference is the error of a replay that does something else than was recorded.
type Difference struct {
	Position int
	// Want and Got are the configurations of the root, as recorded and now. If they are the same,
	// something else differs on the way there.
	Want, Got []string
}

func (d *Difference) Error() string {
	if slices.Equal(d.Want, d.Got) {
		return fmt.Sprintf("history: the step to position %d does something else than was recorded", d.Position)
	}
	return fmt.Sprintf("history: position %d is %s, and was recorded as %s", d.Position, strings.Join(d.Got, " "), strings.Join(d.Want, " "))
}

// Replay runs the session again. Cfg has the chart, or another one that is to do the same, and the
// options that the session had, see [New]. Replay calls f, which may be nil, at each position, with the
// records of what has led to it; an error of f ends it. The history that it returns has the positions
// that it came to, also with an error. It ends early if another chart does, and if somebody has added steps
// after the end.
//
// The error is a [*Difference] as soon as a step does something else than was recorded, unless loose is
// set; the last position of the history is the one after that step. A recording with digests of another
// version is not compared.
func (rec *Recording) Replay(ctx context.Context, cfg Config, loose bool, f func(Position) error) (*History, error) {
	cfg.Recording = nil
	raw, err := rec.history(cfg)
	if err != nil || len(rec.steps) == 0 {
		return raw, err
	}
	h, err := New(cfg)
	if err != nil {
		return nil, err
	}
	h.start, h.seed, h.inside = raw.start, raw.seed, raw.inside
	again := &recordingWriter{}
	var records []record.Record
	p, err := raw.player(-1, raw.length-1, func(start time.Time) []scxml.Option {
		opts := []scxml.Option{scxml.WithTrace(again.trace())}
		if f != nil {
			opts = append(opts, scxml.WithTrace(recorder(start, record.All, &records)))
		}
		return opts
	})
	if err != nil {
		return nil, err
	}
	if p.at == 0 { // a session that was restored
		h.segments = []segment{{base: raw.segments[0].base}}
		h.reach(p)
		again.moved = true
		if f != nil {
			err = f(Position{0, p.session, nil})
		}
	}
	var want []string
	for err == nil && p.at < raw.length-1 && (p.at < 0 || h.status == scxml.Running) {
		step := &rec.steps[p.at+1]
		records = nil
		h.work.begin()
		err = p.next(ctx)
		still := errors.Is(err, errStill)
		if still { // another chart does nothing here, and the position needs a snapshot
			err = nil
			p.at++
		}
		if err != nil {
			break
		}
		last := h.last()
		last.lines = append(last.lines, step.inputs...)
		if still {
			last.lines = append(last.lines, mark+"\n"...)
		}
		last.lines = append(last.lines, '\n')
		due := h.work.end(len(last.lines))
		if h.reach(p); due || h.length == 1 || step.marked() || still {
			// Without a snapshot the way to what follows is longer.
			if unsaved := h.keyframe(); still {
				err = unsaved
			}
		}
		if err != nil {
			break
		}
		if got := again.appendCaused(nil, p.session); !step.marked() && !bytes.Equal(got, step.caused) && !loose && rec.Digest == DigestVersion {
			err = &Difference{p.at, step.configuration(want), p.session.Configuration()}
		}
		again.moved = step.marked() // as in step
		want = step.configuration(want)
		if f != nil {
			err = errors.Join(f(Position{p.at, p.session, records}), err)
		}
	}
	return h, err
}

// reach notes that the player is at the next position.
func (h *History) reach(p *player) {
	h.session, h.length = p.session, p.at+1
	h.status, h.final = p.session.Status(), p.session.FinalState()
}

// configuration returns the configuration after the step, which is the one before if it says nothing.
func (s *taken) configuration(before []string) []string {
	if _, text, ok := bytes.Cut(s.caused, []byte{' '}); ok && !s.marked() {
		var names []string
		if json.Unmarshal(text, &names) == nil {
			return names
		}
	}
	return before
}

// marked reports whether the position is a snapshot.
func (s *taken) marked() bool { return bytes.HasPrefix(s.caused, []byte(snapshotLine)) }

// snapshot returns the snapshot of a marked position.
func (s *taken) snapshot() []byte {
	return s.caused[len(snapshotLine):]
}

// history returns the recording as a history that has snapshots only where it must.
func (rec *Recording) history(cfg Config) (*History, error) {
	h, err := New(cfg)
	if err != nil {
		return nil, err
	}
	h.start, h.seed, h.length, h.inside = rec.Start, rec.Seed, len(rec.steps), rec.inside
	h.last().lines = make([]byte, 0, rec.size)
	for n := range rec.steps {
		step := &rec.steps[n]
		last := h.last()
		if n == 0 && step.marked() {
			*last = segment{base: pack(step.snapshot())}
			continue
		}
		last.lines = append(append(last.lines, step.inputs...), '\n')
		if step.marked() {
			h.segments = append(h.segments, segment{first: n, base: pack(step.snapshot())})
		}
	}
	return h, nil
}
