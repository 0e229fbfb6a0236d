package reference

import (
	"errors"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/internal/delay"
	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
)

// send is <send> (REC 6.2).
func (s *Session) send(x *doc.Send) bool {
	id := x.ID
	if x.IDLocation != nil {
		id = s.newID("send")
		if err := s.store.AssignValue(s.chart.compile(datamodel.Location, x.IDLocation), id); err != nil {
			return s.error("send", "", err)
		}
	}
	m, wait, err := s.message(x)
	if err != nil {
		// REC 6.2: "If the evaluation of send's arguments produces an error, the
		// Processor MUST discard the message without attempting to deliver it."
		return s.error("send", id, err)
	}
	m.Event.SendID = id
	if wait > 0 {
		if len(s.world.Timers) >= s.world.Limits.Timers {
			return s.error("send", id, errors.New("too many delayed events"))
		}
		s.world.Timers = append(s.world.Timers, &Timer{s.world.Now.Add(wait), s, m})
	}
	s.tellEvent("send", m.Event, s.address(m.target), wait.String())
	if wait == 0 {
		s.deliver(m)
	}
	return true
}

// message evaluates a <send>.
func (s *Session) message(x *doc.Send) (m message, wait time.Duration, err error) {
	if m.Event.Name, err = s.text(x.Event, x.EventExpr); err != nil {
		return m, 0, err
	}
	if m.target, err = s.text(x.Target, x.TargetExpr); err != nil {
		return m, 0, err
	}
	typ, err := s.text(x.Type, x.TypeExpr)
	if err != nil {
		return m, 0, err
	}
	if typ != "" && typ != "scxml" && typ != scxmlProcessor {
		return m, 0, errors.New("unknown type")
	}
	if x.DelayExpr != nil {
		v, err := s.value(x.DelayExpr)
		if err != nil {
			return m, 0, err
		}
		if wait, err = delay.Parse(datamodel.Text(v)); err != nil {
			return m, 0, err
		}
	} else if x.Delay != "" {
		if wait, err = delay.Parse(x.Delay); err != nil {
			return m, 0, err
		}
	}
	if x.Content != nil {
		if m.Event.Data, err = s.contentValue(x.Content); err == nil {
			err = s.tooLarge(m.Event.Data)
		}
	} else {
		var obj *datamodel.Object
		if obj, err = s.namelistAndParams(x.Namelist, x.Params); obj.Len() > 0 {
			m.Event.Data = obj
		}
	}
	switch {
	case err != nil:
	case m.Event.Name == "":
		err = errors.New("no name")
	case datamodel.CheckEventName(m.Event.Name) != nil:
		err = errors.New("illegal name")
	case m.target != "" && !strings.HasPrefix(m.target, "#_"):
		err = errors.New("unknown target")
	case m.target == "#_internal" && wait > 0:
		err = errors.New("cannot delay an internal event")
	}
	return m, wait, err
}

// deliver puts an event into the queue that its target names (REC C.1).
func (s *Session) deliver(m message) {
	ev := m.Event
	var invoked *invocation
	if m.target == "#_internal" {
		ev.Type = datamodel.Internal
		s.raise(ev)
		return
	}
	var to *Session
	switch {
	case m.target == "":
		to = s
	case m.target == "#_parent":
		to = s.Parent
	case strings.HasPrefix(m.target, "#_scxml_"):
		for _, other := range s.world.Sessions {
			if m.target == "#_scxml_"+other.ID() {
				to = other
			}
		}
	default:
		for _, inv := range s.invocations {
			if m.target == "#_"+inv.id && invoked == nil {
				invoked = inv
			}
		}
	}
	ev.Type = datamodel.External
	ev.Origin = "#_scxml_" + s.ID()
	ev.OriginType = scxmlProcessor
	if to != nil && to == s.Parent {
		if s.cancelled {
			return // REC 6.4: the parent ignores what a cancelled session sends
		}
		ev.InvokeID = s.invokeID
	}
	switch {
	case to != nil && to.receive(ev):
	case invoked != nil && invoked.receive(ev):
	default:
		s.errorEvent("error.communication", "send", ev.SendID, errors.New("the target does not exist"))
	}
}

// cancel is <cancel> (REC 6.3).
func (s *Session) cancel(id string) {
	n := 0
	for _, t := range slices.Clone(s.world.Timers) {
		if id != "" && t.From == s && t.Event.SendID == id {
			s.world.Timers = remove(s.world.Timers, t)
			n++
		}
	}
	s.tell("cancel", id, strconv.Itoa(n))
}

// invoke is <invoke> (REC 6.4).
func (s *Session) invoke(x *doc.Invoke) {
	if err := s.tryInvoke(x); err != nil {
		s.error("invoke", "", err)
	}
}

func (s *Session) tryInvoke(x *doc.Invoke) error {
	typ, err := s.text(x.Type, x.TypeExpr)
	if err != nil {
		return err
	}
	if !slices.Contains([]string{"service", "", "scxml", "http://www.w3.org/TR/scxml/", "http://www.w3.org/TR/scxml"}, typ) {
		return errors.New("unknown type")
	}
	id := x.ID
	if id == "" {
		id = s.newID(NameOf(x.State))
	}
	if x.IDLocation != nil {
		if err := s.store.AssignValue(s.chart.compile(datamodel.Location, x.IDLocation), id); err != nil {
			return err
		}
	}
	if typ == "service" {
		if err := s.serviceArguments(x); err != nil {
			return err
		}
		s.invocations = append(s.invocations, &invocation{x, id, nil})
		s.tell("invoke", id)
		return nil
	}
	chart, err := s.invokedChart(x)
	if err != nil {
		return err
	}
	obj, err := s.namelistAndParams(x.Namelist, x.Params)
	if err != nil {
		return err
	}
	depth := 0
	for p := s.Parent; p != nil; p = p.Parent {
		depth++
	}
	if depth >= s.world.Limits.InvokeDepth || len(s.world.Sessions) >= s.world.Limits.Sessions {
		return errors.New("too many sessions")
	}
	child := s.world.newSession(chart)
	child.Parent, child.invokeID = s, id
	child.given = map[string]datamodel.Value{}
	for name, v := range obj.All() {
		child.given[name] = v
	}
	s.invocations = append(s.invocations, &invocation{x, id, child})
	s.tell("invoke", id)
	return nil
}

// serviceArguments evaluates the arguments of a service, which are not used.
func (s *Session) serviceArguments(x *doc.Invoke) error {
	if _, err := s.text(x.Src, x.SrcExpr); err != nil {
		return err
	}
	if x.Content != nil {
		v, err := s.contentValue(x.Content)
		if err == nil {
			err = s.tooLarge(v)
		}
		if err != nil {
			return err
		}
	}
	_, err := s.namelistAndParams(x.Namelist, x.Params)
	return err
}

func (s *Session) invokedChart(x *doc.Invoke) (*Chart, error) {
	c := s.chart
	opts := doc.Options{Loader: c.loader}
	if x.Content != nil && x.Content.Scxml() {
		if child := c.children[x.Content]; child != nil {
			return child, nil
		}
		child, err := c.child(x.Content.Parse(opts))
		if err == nil {
			c.children[x.Content] = child
		}
		return child, err
	}
	if x.Content != nil {
		v, err := s.contentValue(x.Content)
		if err != nil {
			return nil, err
		}
		switch v := v.(type) {
		case *datamodel.Node:
			return c.child(doc.ParseNode("content", v, opts))
		case string:
			return c.child(doc.Parse("content", []byte(v), opts))
		}
		return nil, errors.New("the content is not a document")
	}
	src, err := s.text(x.Src, x.SrcExpr)
	if err != nil {
		return nil, err
	}
	if c.loader == nil {
		return nil, errors.New("no files are given")
	}
	source, err := fs.ReadFile(c.loader, src)
	if err != nil {
		return nil, err
	}
	return c.child(doc.Parse(src, source, opts))
}

// cancelInvoke cancels the invocation of an <invoke> whose state is exited.
func (s *Session) cancelInvoke(x *doc.Invoke) {
	for _, inv := range slices.Clone(s.invocations) {
		if inv.doc != x {
			continue
		}
		s.invocations = remove(s.invocations, inv)
		if inv.child != nil && inv.child.Ended {
			continue
		}
		s.tell("cancelinvoke", inv.id)
		if inv.child == nil {
			continue
		}
		inv.child.cancelled = true
		last := s.world.last
		inv.child.turn(inv.child.exitInterpreter)
		s.world.last = last // that was not a turn
	}
}

// applyFinalize is <finalize> (REC 6.5).
func (s *Session) applyFinalize(inv *invocation, ev datamodel.Event) {
	finalize := inv.doc.Finalize
	if finalize == nil {
		return
	}
	if len(finalize.Body) > 0 {
		s.executeContent(finalize.Body)
		return
	}
	// REC 6.5.2: an empty one updates the locations of namelist and params.
	data, ok := ev.Data.(*datamodel.Object)
	if !ok {
		return
	}
	update := func(name string, location *datamodel.Source) bool {
		v, there := data.Get(name)
		if !there || location == nil {
			return true
		}
		if err := s.store.AssignValue(s.chart.compile(datamodel.Location, location), v); err != nil {
			return s.error("finalize", "", err)
		}
		return true
	}
	for _, n := range inv.doc.Namelist {
		if !update(n.Text, n) {
			return
		}
	}
	for _, p := range inv.doc.Params {
		if !update(p.Name, p.Location) {
			return
		}
	}
}
