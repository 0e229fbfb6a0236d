package compiled

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/machine"
	"github.com/scxmlrun/scxmlrun/scxml/machine/js"
)

// A service is one that the chart has invoked. To its invoker it is the link with a session in another process.
type service struct {
	d      *driver
	id     string
	ctx    context.Context
	cancel func()
	over   bool // it is cancelled, or has returned; guarded by driver.mu
}

// invoke starts a service.
func (d *driver) invoke(inv *machine.Invocation) (machine.Service, error) {
	invoker := d.invokers[inv.Type]
	if invoker == nil {
		return nil, fmt.Errorf("no invoker for the type %q", inv.Type)
	}
	s := &service{d: d, id: inv.ID}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	given := scxml.NewInvocation(s)
	given.ID, given.Type, given.Src, given.Content = inv.ID, inv.Type, inv.Src, value(inv.Content)
	if inv.Params != nil {
		given.Params = value(inv.Params).(*datamodel.Object)
	}
	d.mu.Lock()
	d.working++
	d.mu.Unlock()
	go s.run(invoker, given)
	return s, nil
}

func (s *service) run(invoker scxml.Invoker, inv *scxml.Invocation) {
	defer s.cancel()
	ev := machine.Event{Name: "done.invoke." + s.id, InvokeID: s.id}
	data, err := call(s.ctx, invoker, inv)
	if err == nil {
		ev.Data, err = s.d.machine.Node().Accept(data)
	}
	if err != nil {
		ev.Name = "error.communication"
		ev.Data = machine.Fields{{Name: "message", Value: fmt.Sprintf("service %q: %v", s.id, err)}}
	}
	_ = s.d.post(ev, s, true) // a service that is cancelled is not heard
}

// call makes a panic an error of the service, as sessions do.
func call(ctx context.Context, invoker scxml.Invoker, inv *scxml.Invocation) (data any, err error) {
	defer func() {
		if x := recover(); x != nil {
			err = &scxml.PanicError{Value: x, Stack: debug.Stack(), What: "service"}
		}
	}()
	return invoker.Invoke(ctx, inv)
}

// Send is a [scxml.ServiceLink]'s.
func (s *service) Send(ev scxml.Event) error {
	return s.d.post(machine.Event{Name: ev.Name, Data: ev.Data, InvokeID: s.id}, s, false)
}

// Receive waits: the chart sends nothing to its services.
func (s *service) Receive(ctx context.Context) (scxml.Event, error) {
	<-ctx.Done()
	return scxml.Event{}, context.Cause(ctx)
}

// Deliver is a [machine.Service]'s.
func (s *service) Deliver(machine.Event) error { return errors.New("the service does not listen") }

// Cancel is a [machine.Service]'s. The machine calls it also for a service that has returned.
func (s *service) Cancel() {
	s.d.mu.Lock()
	s.end()
	s.d.mu.Unlock()
	s.cancel()
}

// end notes that the service does not work any more. The caller holds driver.mu.
func (s *service) end() {
	if !s.over {
		s.over = true
		s.d.working--
	}
}

// sentBefore bounds how many objects of messages a driver keeps in another form.
const sentBefore = 1000

// sent is value for what the machine has sent, which nobody changes: most of a grid was sent before.
func (d *driver) sent(data any) datamodel.Value {
	if len(d.known) > sentBefore {
		clear(d.known)
	}
	return converter{d.known}.value(data)
}

// value returns data of the machine as those of a session.
func value(data any) datamodel.Value { return converter{}.value(data) }

// A converter knows some objects in the other form, and notes those that it meets, if known is not nil.
type converter struct {
	known map[*js.Object]datamodel.Value
}

func (c converter) value(data any) datamodel.Value {
	switch data := data.(type) {
	case machine.Fields:
		object := new(datamodel.Object)
		for _, f := range data {
			object.Set(f.Name, c.value(f.Value))
		}
		return object
	case *js.Object:
		return c.valueOf(data.Value())
	case machine.NullType:
		return datamodel.Null
	case float64:
		return datamodel.Number(data)
	}
	return data
}

// valueOf is value, without a copy between.
func (c converter) valueOf(v js.Value) datamodel.Value {
	switch v.Type() {
	case js.TypeObject:
	case js.TypeNumber:
		return datamodel.Number(v.Number())
	default:
		return c.value(v.Any())
	}
	if known, ok := c.known[v.Object()]; ok {
		return known
	}
	made := c.parts(v)
	if c.known != nil {
		c.known[v.Object()] = made
	}
	return made
}

func (c converter) parts(v js.Value) datamodel.Value {
	if js.IsArray(v) {
		list := make([]datamodel.Value, 0, int(js.Get(v, "length").Number()))
		js.ForEach(v, func(item js.Value, _ float64) { list = append(list, c.valueOf(item)) })
		return list
	}
	object := new(datamodel.Object)
	for _, name := range js.Keys(v) {
		object.Set(name, c.valueOf(js.Get(v, name)))
	}
	return object
}
