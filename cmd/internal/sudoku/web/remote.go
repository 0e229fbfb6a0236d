package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/service"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// Services run in another worker, so that the game never waits for them. Between the workers there
// are these messages; ids tell apart what is under way at once.
//
//	{"type": "serve", "id": 1, "service": "sudoku-hint", "params": {…}}   to the services
//	{"type": "unserve", "id": 1}                                          the game does not wait any more
//	{"do": "event", "id": 1, "name": "progress", "data": {…}}             to the game
//	{"do": "served", "id": 1, "data": {…}, "error": "…"}
//
// Data are written by [datamodel.AppendJSON].

// served is what the services say.
type served struct {
	Do    string          `json:"do"`
	ID    int             `json:"id"`
	Name  string          `json:"name,omitempty"`
	Data  json.RawMessage `json:"data,omitempty"`
	Error string          `json:"error,omitempty"`
}

// serve is what the game wants.
type serve struct {
	Type    string          `json:"type"`
	ID      int             `json:"id"`
	Service string          `json:"service,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
}

// Remote are the services of another worker, seen from the game.
type Remote struct {
	tell func(Message)

	mu    sync.Mutex
	last  int
	calls map[int]*call
}

// A call is a service under way.
type call struct {
	events chan served // what does not fit is dropped: the next one says more
	end    chan served // of one
}

// NewRemote returns the services of a worker that tell reaches, on any goroutine. What the worker
// says is for Hear.
func NewRemote(tell func(Message)) *Remote {
	return &Remote{tell: tell, calls: map[int]*call{}}
}

// Options returns the options of a session that may invoke the services.
func (r *Remote) Options() []scxml.Option {
	var options []scxml.Option
	for _, s := range service.Services() {
		options = append(options, scxml.WithInvoker(s.Type, scxml.InvokerFunc(r.invoke)))
	}
	return options
}

// invoke runs a service that a session wants.
func (r *Remote) invoke(ctx context.Context, inv *scxml.Invocation) (any, error) {
	var params datamodel.Value = inv.Params
	if inv.Params == nil {
		params = inv.Content
	}
	return r.run(ctx, inv.Type, params, func(name string, data datamodel.Value) error {
		return inv.Send(scxml.Event{Name: name, Data: data})
	})
}

// run runs a service in the other worker. It calls hear with the events of the service.
func (r *Remote) run(ctx context.Context, service string, params datamodel.Value, hear func(name string, data datamodel.Value) error) (any, error) {
	c := &call{make(chan served, 1), make(chan served, 1)}
	r.mu.Lock()
	r.last++
	id := r.last
	r.calls[id] = c
	r.mu.Unlock()
	defer func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.calls, id)
	}()
	r.say(serve{"serve", id, service, datamodel.AppendJSON(nil, params)})
	for {
		select {
		case <-ctx.Done():
			r.say(serve{Type: "unserve", ID: id})
			return nil, context.Cause(ctx)
		case a := <-c.end:
			if a.Error != "" {
				return nil, errors.New(a.Error)
			}
			return datamodel.ParseJSON(a.Data)
		case a := <-c.events:
			data, err := datamodel.ParseJSON(a.Data)
			if err == nil {
				err = hear(a.Name, data)
			}
			if err != nil {
				return nil, err
			}
		}
	}
}

func (r *Remote) say(s serve) { r.tell(messageOf(s)) }

// Hear takes what the worker says, and reports whether the message is for a service. It may be
// called from any goroutine.
func (r *Remote) Hear(m Message) bool {
	var a served
	err := read(m.Text, &a)
	if a.Do != "served" && a.Do != "event" {
		return false
	}
	if err != nil { // the call ends
		a.Do, a.Error = "served", fmt.Sprintf("cannot read what the service says: %v", err)
	}
	r.mu.Lock()
	c := r.calls[a.ID]
	r.mu.Unlock()
	if c == nil { // it is not waited for
		return true
	}
	to := c.events
	if a.Do == "served" {
		to = c.end
	}
	select {
	case to <- a:
	default:
	}
	return true
}

// Serve runs the services that messages want, until ctx is done. It calls tell on any goroutine.
func Serve(ctx context.Context, messages <-chan Message, tell func(Message)) error {
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case m := <-messages:
			var s serve
			err := read(m.Text, &s)
			if err == nil && s.Type != "serve" {
				err = fmt.Errorf("unknown kind %.100q", s.Type)
			}
			go func() {
				answer := served{Do: "served", ID: s.ID}
				var data any
				if err == nil {
					data, err = s.run(ctx, tell)
				}
				if err == nil {
					answer.Data, err = dataOf(data)
				}
				if err != nil {
					answer.Error = err.Error()
				}
				tell(messageOf(answer))
			}()
		}
	}
}

// run runs a service: one of the game, or the rating of the puzzles that can be chosen.
func (s *serve) run(ctx context.Context, tell func(Message)) (any, error) {
	params, err := datamodel.ParseJSON(s.Params)
	if err != nil {
		return nil, err
	}
	to := &link{s.ID, tell}
	if s.Service == rating {
		return ratePuzzles(ctx, params, to)
	}
	for _, one := range service.Services() {
		if one.Type != s.Service {
			continue
		}
		inv := scxml.NewInvocation(to)
		inv.Type = s.Service
		if object, ok := params.(*datamodel.Object); ok {
			inv.Params = object
		}
		return one.Invoker.Invoke(ctx, inv)
	}
	return nil, fmt.Errorf("%q is not a service", s.Service)
}

// A link sends the events of a service to the game.
type link struct {
	id   int
	tell func(Message)
}

func (l *link) Send(ev scxml.Event) error {
	data, err := dataOf(ev.Data)
	if err == nil {
		l.tell(messageOf(served{Do: "event", ID: l.id, Name: ev.Name, Data: data}))
	}
	return err
}

// Receive waits: the game sends nothing to its services.
func (l *link) Receive(ctx context.Context) (scxml.Event, error) {
	<-ctx.Done()
	return scxml.Event{}, context.Cause(ctx)
}

func dataOf(data any) (json.RawMessage, error) {
	v, err := datamodel.From(data)
	if err != nil {
		return nil, err
	}
	return datamodel.AppendJSON(nil, v), nil
}
