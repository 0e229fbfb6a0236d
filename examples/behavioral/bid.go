package behavioral

import (
	"encoding/xml"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// Namespace is the XML namespace of the elements with which a b-thread makes its bids.
const Namespace = "https://github.com/scxmlrun/scxmlrun/behavioral"

// A kind is a kind of bid, called like its element.
type kind uint8

const (
	request kind = iota
	wait
	block
	hot
	prune
	fail // which is not a bid
)

var kinds = [...]struct {
	name  string
	attrs []string
}{
	request: {"request", []string{"event", "eventexpr", "priority"}},
	wait:    {"wait", []string{"event", "eventexpr", "except"}},
	block:   {"block", []string{"event", "eventexpr", "except"}},
	hot:     {"hot", nil},
	prune:   {"prune", nil},
	fail:    {"fail", []string{"message"}},
}

// A bid is what a b-thread says while a state is active. It is immutable.
type bid struct {
	kind          kind
	state         scxml.State
	event, except string // the name of an event, or descriptors
	priority      int
	args          []arg
}

// appendKey appends a text that differs for different bids of a chart.
func (b *bid) appendKey(dst []byte) []byte {
	dst = append(dst, byte(b.kind))
	for _, text := range [...]string{b.state.Name(), b.event, b.except} {
		dst = append(strconv.AppendInt(dst, int64(len(text)), 10), ':')
		dst = append(dst, text...)
	}
	return append(appendArgs(strconv.AppendInt(dst, int64(b.priority), 10), b.args), '\n')
}

// actions are the options of a session that lets r execute the elements of the namespace.
func (r *runner) actions() (opts []scxml.Option) {
	for k := range kinds {
		name := xml.Name{Space: Namespace, Local: kinds[k].name}
		opts = append(opts, scxml.WithAction(name, func(call *scxml.ActionCall) error { return r.execute(kind(k), call) }))
	}
	return opts
}

func (r *runner) execute(k kind, call *scxml.ActionCall) error {
	e := call.Element
	err, checked := r.elements[e]
	if !checked {
		err = checkElement(k, e)
		r.elements[e] = err
	}
	switch {
	case err != nil:
		return err
	case call.Session != r.session:
		return errors.New("an invoked session is not a b-thread: only the session that invokes it can make bids")
	case k == fail:
		return r.fail(call)
	case !r.entering:
		return errors.New("a bid is made in <onentry>, and holds while the state is active")
	}
	b := bid{kind: k, state: r.state}
	if k <= block {
		if err := b.read(call); err != nil {
			return err
		}
	}
	r.bids = append(r.bids, b)
	return nil
}

// checkElement reports mistakes that do not depend on data.
func checkElement(k kind, e *datamodel.Node) error {
	allowed := kinds[k].attrs
	has := make(map[string]bool)
	for _, a := range e.Attrs {
		switch {
		case a.Prefix == "xmlns" || a.Local == "xmlns" || a.Space != "":
		case !slices.Contains(allowed, a.Local):
			want := "none"
			if len(allowed) > 0 {
				want = strings.Join(allowed, ", ")
			}
			return fmt.Errorf("%q is not an attribute of this element: want %s", a.Local, want)
		default:
			has[a.Local] = true
		}
	}
	switch {
	case k == fail && !has["message"]:
		return errors.New(`attribute "message" is missing: want an expression, such as message="'the bank is empty'"`)
	case k <= block && has["event"] == has["eventexpr"]:
		return errors.New(`want one of the attributes "event" and "eventexpr"`)
	}
	for _, child := range e.Children {
		switch {
		case child.Type != datamodel.ElementNode:
		case k > block:
			return fmt.Errorf("<%s> is not allowed here: the element has no children", child.Local)
		case child.Local != "param":
			return fmt.Errorf("<%s> is not allowed here: want <param>", child.Local)
		}
	}
	return nil
}

// read evaluates the attributes and params.
func (b *bid) read(call *scxml.ActionCall) error {
	if b.event = call.Attr("event"); b.event == "" {
		v, err := call.Value("eventexpr")
		if err != nil {
			return err
		}
		b.event = datamodel.Text(v)
	}
	if b.except = call.Attr("except"); b.kind == request {
		if err := datamodel.CheckEventName(b.event); err != nil {
			return err
		}
	} else if len(descriptors(b.event)) == 0 {
		return errors.New(`the attribute "event" is empty: want event descriptors, or "*" for all events`)
	}
	if call.Attr("priority") != "" {
		v, err := call.Value("priority")
		if err != nil {
			return err
		}
		n, ok := v.(int64)
		if !ok {
			return fmt.Errorf("priority is %s: want an integer", datamodel.Text(v))
		}
		b.priority = int(n)
	}
	params, err := call.Params()
	if err != nil {
		return err
	}
	for _, p := range params {
		b.args = append(b.args, arg{p.Name, p.Value})
	}
	b.args, err = newArgs(b.args)
	return err
}

func (r *runner) fail(call *scxml.ActionCall) error {
	v, err := call.Value("message")
	if err == nil {
		r.did.failures = append(r.did.failures, datamodel.Text(v))
	}
	return err
}
