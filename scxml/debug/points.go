package debug

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/internal/table"
)

// A BreakpointKind says what a breakpoint is about.
type BreakpointKind uint8

const (
	AtLine      BreakpointKind = iota // an element of the document is reached
	OnState                           // a state is entered or was exited
	OnEvent                           // an event is taken from a queue
	OnData                            // the value of an expression has changed
	OnError                           // an error
	OnUnhandled                       // an event is taken and enables no transition
)

// A Breakpoint stops the session, or writes a log message. Fields that its kind does not name are not
// used.
type Breakpoint struct {
	Kind BreakpointKind

	// File, Line and Col are the place of a breakpoint AtLine. File is the name of the chart or of a
	// document that it invokes; "" is the chart. Col may be 0, and counts characters from 1.
	File      string
	Line, Col int

	// Name is the id of a state; an event descriptor; an expression, such as a data item or a
	// property of one; or an error: "error.execution", "error.communication", "limit", or "" for all.
	Name    string
	Entered bool // OnState: when it is entered. If neither is set, both are.
	Exited  bool // OnState: when it was exited

	// Session is the id of the session that the breakpoint is about; "" means all of them.
	Session string

	// Condition is an expression of the data model. If it fails, the session stops and says why. One that
	// [scxml.Chart.CheckLook] refuses, for the chart, makes the breakpoint a wrong one, which never
	// stops; so do the expressions in Name and Log.
	Condition string
	// Count says which hits count, those whose condition holds: "3" or ">=3" from the third on, "==3",
	// ">3", "<3", "<=3", "%3" every third. Going back, all of them count.
	Count string
	// Log is a message that is written in place of a stop. It can have {expressions}.
	Log string
	// Once removes the breakpoint when it stops the session.
	Once bool

	// The rest is set by the debugger.

	ID       int
	Verified bool
	Reason   string             // why it is not verified, or was moved
	At       datamodel.Position // of the element, AtLine
	Hits     int                // how often its condition has held, forwards
}

// points are the breakpoints. All of it is guarded by mu, which is held while conditions are evaluated.
type points struct {
	debugger *Debugger

	mu    sync.Mutex
	last  int // id
	all   []*point
	lines map[datamodel.Position][]*point
	files map[string]*document
}

// A point is a breakpoint that was checked.
type point struct {
	Breakpoint
	group  string
	counts func(hits int) bool // nil if the breakpoint is wrong
	parts  []string            // of Log: text and expressions in turn
}

// know notes a document that runs, and finds the lines of it that breakpoints wait for.
func (p *points) know(chart *scxml.Chart) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.files[chart.File()] != nil || chart.Element() == nil {
		return
	}
	if p.files == nil {
		p.files = map[string]*document{}
	}
	p.files[chart.File()] = newDocument(chart)
	for _, b := range p.all {
		if b.counts != nil && !b.Verified {
			if p.find(b); b.Verified && p.debugger.cfg.Changed != nil {
				p.debugger.cfg.Changed(b.Breakpoint)
			}
		}
	}
}

// SetBreakpoints sets the breakpoints of a group, and removes those that the group had before. A group
// is a name that the caller chooses, such as that of a file. The result has the breakpoints in the
// same order, with what the debugger has found out; those that are not verified are kept, and wait for
// a document that the session invokes. A breakpoint with the ID of one that the group had keeps
// its number of hits; the others get an ID.
func (d *Debugger) SetBreakpoints(group string, all []Breakpoint) []Breakpoint {
	p := &d.points
	p.mu.Lock()
	defer p.mu.Unlock()
	hits := map[int]int{}
	p.all = slices.DeleteFunc(p.all, func(b *point) bool {
		if b.group == group {
			hits[b.ID] = b.Hits
		}
		return b.group == group
	})
	set := make([]Breakpoint, 0, len(all))
	for _, b := range all {
		had, ok := hits[b.ID]
		if b.Hits = had; !ok {
			p.last++
			b.ID = p.last
		}
		delete(hits, b.ID)
		b.Verified, b.Reason, b.At = false, "", datamodel.Position{}
		checked := &point{Breakpoint: b, group: group}
		if err := p.check(checked); err != nil {
			checked.Reason, checked.counts = err.Error(), nil
		} else {
			p.find(checked)
		}
		p.all = append(p.all, checked)
		set = append(set, checked.Breakpoint)
	}
	slices.SortFunc(p.all, func(a, b *point) int { return cmp.Compare(a.ID, b.ID) })
	p.index()
	return set
}

// Breakpoints returns all breakpoints in the order of their ids.
func (d *Debugger) Breakpoints() (all []Breakpoint) {
	d.points.mu.Lock()
	defer d.points.mu.Unlock()
	for _, b := range d.points.all {
		all = append(all, b.Breakpoint)
	}
	return all
}

// Lines returns the positions in a document, from line first to line last, at which a breakpoint AtLine
// can stop. It is empty for a document that has not run yet.
func (d *Debugger) Lines(file string, first, last int) (all []datamodel.Position) {
	d.points.mu.Lock()
	defer d.points.mu.Unlock()
	doc := d.points.file(file)
	if doc == nil {
		return nil
	}
	for _, e := range doc.runs {
		if e.Pos.Line >= first && e.Pos.Line <= last {
			all = append(all, e.Pos)
		}
	}
	return all
}

// file returns the document that a name means, or nil.
func (p *points) file(name string) *document {
	if name == "" {
		name = p.debugger.chart.File()
	}
	if doc := p.files[name]; doc != nil {
		return doc
	}
	for file, doc := range p.files {
		if strings.HasSuffix(file, "/"+name) || strings.HasSuffix(name, "/"+file) {
			return doc
		}
	}
	return nil
}

// find finds the element of a breakpoint AtLine, and the state of one OnState.
func (p *points) find(b *point) {
	if b.Kind == OnState {
		if b.Verified, b.Reason = p.hasState(b.Name), ""; !b.Verified {
			b.Reason = fmt.Sprintf("no document that runs has a state %q", b.Name)
		}
		return
	}
	if b.Kind != AtLine {
		b.Verified = true
		return
	}
	doc := p.file(b.File)
	if doc == nil {
		b.Reason = fmt.Sprintf("%s does not run yet", b.File)
		return
	}
	if b.At, b.Reason = doc.find(b.Line, b.Col); b.At.IsValid() {
		b.Verified = true
		p.index()
	}
}

// hasState reports whether a document that runs has a state that can be entered.
func (p *points) hasState(name string) bool {
	if st, ok := p.debugger.chart.State(name); ok {
		return st.Kind() != scxml.KindHistory
	}
	for _, doc := range p.files {
		if slices.ContainsFunc(doc.runs, func(e *scxml.Element) bool { return isState(e) && e.Attr("id") == name }) {
			return true
		}
	}
	return false
}

func (p *points) index() {
	p.lines = map[datamodel.Position][]*point{}
	for _, b := range p.all {
		if b.Kind == AtLine && b.Verified {
			p.lines[b.At] = append(p.lines[b.At], b)
		}
	}
}

// check finds out whether a breakpoint can be used.
func (p *points) check(b *point) (err error) {
	chart := p.debugger.chart
	switch b.Kind {
	case OnState:
		if b.Name == "" {
			return errors.New("which state?")
		}
		if !b.Entered && !b.Exited {
			b.Entered, b.Exited = true, true
		}
	case OnEvent:
		if b.Name == "" {
			return errors.New("which event?")
		}
	case OnData:
		if b.Name == "" {
			return errors.New("which data item?")
		}
		if chart.Datamodel() == "null" {
			return errors.New("the null data model has no data")
		}
	case AtLine:
		if b.Line < 1 {
			return fmt.Errorf("line %d: lines count from 1", b.Line)
		}
	}
	if b.counts, err = parseCount(b.Count); err != nil {
		return err
	}
	if b.parts, err = parseLog(b.Log); err != nil {
		return err
	}
	if b.Kind == AtLine && p.file(b.File) != p.files[chart.File()] {
		return nil // another document may have another data model
	}
	return b.checkExpressions(chart)
}

// checkExpressions checks the expressions of a breakpoint.
func (b *point) checkExpressions(chart *scxml.Chart) error {
	check := func(what, expr string) error {
		if err := chart.CheckLook(expr); err != nil {
			return fmt.Errorf("the %s %q: %w", what, expr, err)
		}
		return nil
	}
	if b.Kind == OnData {
		if err := check("expression", b.Name); err != nil {
			return err
		}
	}
	if b.Condition != "" {
		if err := check("condition", b.Condition); err != nil {
			return err
		}
	}
	for i := 1; i < len(b.parts); i += 2 {
		if err := check("message has", b.parts[i]); err != nil {
			return err
		}
	}
	return nil
}

// parseCount reads which hits count.
func parseCount(text string) (func(int) bool, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return func(int) bool { return true }, nil
	}
	number := strings.TrimLeft(text, "<>=%")
	n, err := strconv.Atoi(strings.TrimSpace(number))
	switch op := text[:len(text)-len(number)]; {
	case err != nil || n < 0:
	case op == "" || op == ">=":
		return func(hits int) bool { return hits >= n }, nil
	case op == ">":
		return func(hits int) bool { return hits > n }, nil
	case op == "==" || op == "=":
		return func(hits int) bool { return hits == n }, nil
	case op == "<":
		return func(hits int) bool { return hits < n }, nil
	case op == "<=":
		return func(hits int) bool { return hits <= n }, nil
	case op == "%" && n > 0:
		return func(hits int) bool { return hits%n == 0 }, nil
	}
	return nil, fmt.Errorf("count %q: want a number, or one after >=, >, ==, <, <= or %%", text)
}

// parseLog divides a message into text and expressions in turn. A brace inside an expression needs its
// counterpart.
func parseLog(text string) (parts []string, err error) {
	for text != "" {
		before, rest, found := strings.Cut(text, "{")
		parts = append(parts, before)
		if !found {
			return parts, nil
		}
		end, open := -1, 1
		for i, c := range rest {
			switch c {
			case '{':
				open++
			case '}':
				open--
			}
			if open == 0 {
				end = i
				break
			}
		}
		if end < 0 {
			return nil, fmt.Errorf("the message %q: a { has no }", text)
		}
		parts = append(parts, rest[:end])
		text = rest[end+1:]
	}
	return parts, nil
}

// hits returns the breakpoints that a run hits where it is, and says what they have found if that is
// more than the place tells. It writes the messages of log points.
func (m *move) hits(r *run) (ids []int, text string) {
	p := &m.points
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.all) == 0 || r.in == nil {
		return nil, ""
	}
	once := false
	for _, b := range p.all {
		said, ok := m.meets(b, r)
		if !ok {
			continue
		}
		if b.Condition != "" {
			v, err := r.in.Eval(m.ctx, b.Condition)
			if err != nil {
				said = fmt.Sprintf("the condition of breakpoint %d fails: %v", b.ID, err)
			} else if !datamodel.Truth(v) {
				continue
			}
		}
		if !m.back {
			if b.Hits++; !b.counts(b.Hits) {
				continue
			}
		}
		if b.Log != "" {
			m.log(b, r)
			continue
		}
		ids = append(ids, b.ID)
		once = once || b.Once && !m.back
		text = cmp.Or(text, said)
	}
	if once {
		p.all = slices.DeleteFunc(p.all, func(b *point) bool { return b.Once && slices.Contains(ids, b.ID) })
		p.index()
	}
	return ids, text
}

// meets reports whether what happens is what a breakpoint is about.
func (m *move) meets(b *point, r *run) (text string, ok bool) {
	if b.counts == nil || b.Session != "" && b.Session != r.in.ID() {
		return "", false
	}
	switch b.Kind {
	case AtLine:
		if !b.Verified {
			return "", false
		}
		for _, at := range r.positions() {
			ok = ok || at == b.At
		}
	case OnState:
		ok = (r.kind == AtEnter && b.Entered || r.kind == AtExit && b.Exited) && r.state.Name() == b.Name
	case OnEvent:
		ok = (r.kind == AtEvent || r.kind == AtInternal) && table.Matches(b.Name, r.event)
	case OnUnhandled:
		ok = r.kind == AtUnhandled && (b.Name == "" && !r.forHost || b.Name != "" && table.Matches(b.Name, r.event))
	case OnError:
		switch {
		case r.kind == AtError:
			ok = b.Name == "" || table.Matches(b.Name, r.failure.Event)
		case r.kind == AtDone:
			ok = (b.Name == "" || b.Name == "limit") && isLimit(r.in.Err())
		}
	case OnData:
		return m.watch.changed(m, b, r)
	}
	return "", ok
}

// log writes the message of a log point.
func (m *move) log(b *point, r *run) {
	if m.cfg.Log == nil || m.back {
		return
	}
	var text strings.Builder
	for i, part := range b.parts {
		if i%2 == 0 {
			text.WriteString(part)
		} else if v, err := r.in.Eval(m.ctx, part); err != nil {
			fmt.Fprintf(&text, "{%v}", err)
		} else {
			text.WriteString(datamodel.Text(v))
		}
	}
	m.cfg.Log(Output{Session: r.in.ID(), Point: b.ID, Text: text.String(), Position: r.position()})
}

// watched are the last values of what breakpoints OnData watch, by breakpoint and session.
type watched map[seen]result

type seen struct {
	breakpoint int
	session    string
}

type result struct {
	value datamodel.Value
	err   string
}

func (r result) String() string {
	if r.err != "" {
		return "an error: " + r.err
	}
	return datamodel.Text(r.value)
}

// beginAt notes the values where a run is.
func (w *watched) beginAt(d *Debugger, r *run) {
	d.points.mu.Lock()
	defer d.points.mu.Unlock()
	*w = watched{}
	for _, b := range d.points.all {
		if b.Kind == OnData && b.counts != nil && r.root().Status() == scxml.Running {
			for _, s := range r.root().Sessions() {
				(*w)[seen{b.ID, s.ID()}] = evaluate(d, s, b.Name)
			}
		}
	}
}

func evaluate(d *Debugger, s *scxml.Session, expr string) (out result) {
	v, err := s.Eval(d.ctx, expr)
	if err != nil {
		return result{err: err.Error()}
	}
	return result{value: v}
}

// changed reports whether the value of a breakpoint has changed since the last look.
func (w watched) changed(m *move, b *point, r *run) (text string, ok bool) {
	key := seen{b.ID, r.in.ID()}
	was, known := w[key]
	now := evaluate(m.Debugger, r.in, b.Name)
	w[key] = now
	if !known || was.err == now.err && datamodel.Equal(was.value, now.value) {
		return "", false
	}
	text = fmt.Sprintf("%s: %v -> %v", b.Name, was, now)
	if r.ran.IsValid() {
		text += fmt.Sprintf(", by %v", r.ran)
	}
	return text, true
}
