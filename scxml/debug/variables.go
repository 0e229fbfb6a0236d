package debug

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"sync"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/record"
)

// A Scope is a group of variables.
type Scope struct {
	Name      string // "Data", "Event", "Queues", "Timers", "History", "Invocations"
	Variables []Variable
}

// A Variable is a named value.
type Variable struct {
	Name  string
	Value datamodel.Value
	Err   error  // why there is no value
	Expr  string // evaluates to the value, and Set accepts it; "" for what cannot be set
}

// Len returns how many items a value has, an array or an object, or 0.
func Len(v datamodel.Value) int {
	switch v := v.(type) {
	case []datamodel.Value:
		return len(v)
	case *datamodel.Object:
		return v.Len()
	}
	return 0
}

// Children returns the items of a variable from first on, at most count; count 0 means all.
func (v Variable) Children(first, count int) (all []Variable) {
	n := Len(v.Value)
	last := n
	if count > 0 {
		last = min(first+count, n)
	}
	switch value := v.Value.(type) {
	case []datamodel.Value:
		for i := max(first, 0); i < last; i++ {
			key := strconv.Itoa(i)
			all = append(all, Variable{Name: key, Value: value[i], Expr: inside(v.Expr, "["+key+"]")})
		}
	case *datamodel.Object:
		i := 0
		for key, item := range value.All() {
			if i >= first && i < last {
				step := "." + key
				if !isName(key) {
					step = "[" + string(datamodel.AppendJSON(nil, key)) + "]"
				}
				all = append(all, Variable{Name: key, Value: item, Expr: inside(v.Expr, step)})
			}
			i++
		}
	}
	return all
}

func inside(expr, step string) string {
	if expr == "" {
		return ""
	}
	return expr + step
}

var (
	namePattern = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[\pL_$][\pL\pN_$]*$`) })
	pathPattern = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^[\pL_$][\pL\pN_$]*(\.[\pL_$][\pL\pN_$]*|\[[0-9]+\]|\["[^"\\]*"\])*$`)
	})
)

func isName(key string) bool { return namePattern().MatchString(key) }

// Scopes returns the variables of a session in groups.
func (d *Debugger) Scopes(ctx context.Context, session string) (scopes []Scope, err error) {
	err = d.look(func() error {
		s, err := d.named(session)
		if err != nil {
			return err
		}
		scopes = []Scope{
			{"Data", dataOf(ctx, s, d.here)},
			{"Event", eventOf(s)},
			{"Queues", queuesOf(s)},
			{"Timers", timersOf(s)},
			{"History", historyOf(s)},
			{"Invocations", invocationsOf(s)},
		}
		return nil
	})
	return scopes, err
}

// dataOf returns the data items, and the variables of each <foreach> that is being executed.
func dataOf(ctx context.Context, s *scxml.Session, r *run) (all []Variable) {
	chart := s.Chart()
	if chart.Datamodel() == "null" || s.Status() == scxml.Unstarted {
		return nil
	}
	add := func(id string) {
		v, err := s.Eval(ctx, id)
		all = append(all, Variable{id, v, err, id})
	}
	if r.in == s && r.element.IsValid() {
		for e := chart.ElementAt(r.element); e != nil; e = e.Parent {
			if e.Name == "foreach" && e.Pos != r.element {
				for _, id := range []string{e.Attr("item"), e.Attr("index")} {
					if isName(id) {
						add(id)
					}
				}
			}
		}
	}
	for _, id := range chart.AllData() {
		add(id)
	}
	return all
}

func eventOf(s *scxml.Session) (all []Variable) {
	ev, ok := scxml.ForTools(s).Event()
	if !ok {
		return nil
	}
	fields := eventValue(&ev).(*datamodel.Object)
	for key, v := range fields.All() {
		all = append(all, Variable{Name: key, Value: v})
	}
	return all
}

// eventValue returns the fields of an event that have a value.
func eventValue(ev *scxml.Event) datamodel.Value {
	fields := []any{"name", ev.Name, "type", ev.Type.String()}
	if ev.Data != nil {
		fields = append(fields, "data", ev.Data)
	}
	for _, f := range [][2]string{{"sendid", ev.SendID}, {"origin", ev.Origin}, {"origintype", ev.OriginType}, {"invokeid", ev.InvokeID}} {
		if f[1] != "" {
			fields = append(fields, f[0], f[1])
		}
	}
	return datamodel.NewObject(fields...)
}

func queuesOf(s *scxml.Session) (all []Variable) {
	internal, external := scxml.ForTools(s).Queues()
	for i := range internal {
		all = append(all, Variable{Name: fmt.Sprintf("internal %d", i), Value: eventValue(&internal[i])})
	}
	for i := range external {
		all = append(all, Variable{Name: fmt.Sprintf("external %d", i), Value: eventValue(&external[i])})
	}
	return all
}

func timersOf(s *scxml.Session) (all []Variable) {
	for _, t := range scxml.ForTools(s).Delayed() {
		if t.Session != s {
			continue
		}
		v := eventValue(&t.Message.Event).(*datamodel.Object)
		fields := []any{"due in", t.Due.Sub(s.Now()).String()}
		if t.Message.Target != "" {
			fields = append(fields, "target", t.Message.Target)
		}
		for key, item := range v.All() {
			fields = append(fields, key, item)
		}
		all = append(all, Variable{Name: t.Message.Event.Name, Value: datamodel.NewObject(fields...)})
	}
	return all
}

func historyOf(s *scxml.Session) (all []Variable) {
	for _, st := range s.Chart().States() {
		if st.Kind() != scxml.KindHistory {
			continue
		}
		var names []datamodel.Value
		for _, r := range scxml.ForTools(s).Recorded(st) {
			names = append(names, r.Name())
		}
		v := Variable{Name: st.Name()}
		if names != nil {
			v.Value = names
		}
		all = append(all, v)
	}
	return all
}

func invocationsOf(s *scxml.Session) (all []Variable) {
	for _, inv := range scxml.ForTools(s).Invocations() {
		fields := []any{"state", inv.State.Name()}
		if inv.Child != nil {
			var names []datamodel.Value
			for _, name := range inv.Child.Configuration() {
				names = append(names, name)
			}
			fields = append(fields, "session", inv.Child.ID(), "configuration", names)
		}
		all = append(all, Variable{Name: inv.ID, Value: datamodel.NewObject(fields...)})
	}
	return all
}

// Now returns the time of the session since the beginning, and that of the next delayed event, on the
// same scale; ok is false if there is none.
func (d *Debugger) Now() (now, due time.Duration, ok bool, err error) {
	err = d.look(func() error {
		s, start := d.here.root(), d.history.Start()
		if start.IsZero() || s.Status() == scxml.Unstarted {
			return nil
		}
		now = s.Now().Sub(start)
		var at time.Time
		if at, ok = s.NextDue(); ok {
			due = at.Sub(start)
		}
		return nil
	})
	return now, due, ok, err
}

var errUnstarted = errors.New("debug: the session has not started: it has no data yet")

// Eval evaluates an expression in a session; "" is the root. It changes nothing: an expression that is
// more than a path to a value is evaluated in a copy.
func (d *Debugger) Eval(ctx context.Context, session, expr string) (v datamodel.Value, err error) {
	err = d.look(func() error {
		s, err := d.named(session)
		switch {
		case err != nil:
			return err
		case s.Status() == scxml.Unstarted && d.here.in != s:
			return errUnstarted
		case pathPattern().MatchString(expr):
			v, err = s.Eval(ctx, expr)
			return err
		}
		m := &move{Debugger: d, ctx: ctx}
		d.paused.Store(false)
		r, err := m.goTo(d.here.place)
		if err != nil {
			return err
		}
		defer r.abandon()
		for _, copied := range append(r.root().Sessions(), r.in) {
			if copied != nil && copied.ID() == s.ID() {
				v, err = copied.Eval(ctx, expr)
				return err
			}
		}
		return fmt.Errorf("debug: the copy has no session %q", s.ID())
	})
	return v, err
}

// Set assigns the value of an expression to a location, such as a data item, and returns the new
// value. At rest that makes a new place. The error is [ErrPast] or [ErrNoPresent], or says what is wrong
// with the expressions.
func (d *Debugger) Set(ctx context.Context, session, location, expr string) (v datamodel.Value, err error) {
	err = d.look(func() error {
		switch {
		case d.live == nil:
			return ErrNoPresent
		case d.here != d.live:
			return ErrPast
		}
		s, err := d.named(session)
		switch {
		case err != nil:
			return err
		case s.Status() == scxml.Unstarted && d.here.in != s:
			return errUnstarted
		case s.Status() != scxml.Running:
			return scxml.ErrEnded
		case s.Chart().Datamodel() == "null":
			return errors.New("debug: the null data model has no data")
		}
		if _, err := s.Eval(ctx, location); err != nil {
			return err
		}
		change := record.Record{Kind: record.Value, Session: s.ID(), InvokeID: s.InvokeID(), Label: location + " = " + expr}
		if v, err = s.Eval(ctx, change.Label); err != nil {
			return err
		}
		r := d.live
		switch {
		case r.place.At > 0:
			d.history.ChangedInside(&change, r.place.At)
		case d.history.Mark() == nil:
			r.rest()
			d.last = r.stopAt(d.last.Reason)
		default: // its data cannot be saved
			d.history.Changed(&change)
		}
		return nil
	})
	return v, err
}
