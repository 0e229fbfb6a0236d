package behavioral

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// An eventID is the number of an event in a table.
type eventID int32

// An event has a name and arguments. Two with the same are the same event.
type event struct {
	name string
	args []arg           // sorted by name
	data datamodel.Value // the args as an object, or nil
}

func (e *event) public() scxml.Event { return scxml.Event{Name: e.name, Data: e.data} }

// An arg is a param of a bid, or a member of the data of an event. Its value is a string, number,
// boolean or null.
type arg struct {
	name  string
	value datamodel.Value
}

// newArgs checks and sorts the args.
func newArgs(args []arg) ([]arg, error) {
	for _, a := range args {
		switch v := a.value.(type) {
		case nil:
			return nil, fmt.Errorf("param %q is undefined", a.name)
		case string, bool, int64, datamodel.NullType:
		case float64:
			if math.IsNaN(v) {
				return nil, fmt.Errorf("param %q is NaN", a.name)
			}
		default:
			return nil, fmt.Errorf("param %q is %s: want a string, number, boolean or null", a.name, datamodel.Text(v))
		}
	}
	slices.SortFunc(args, func(a, b arg) int { return strings.Compare(a.name, b.name) })
	for i := 1; i < len(args); i++ {
		if args[i].name == args[i-1].name {
			return nil, fmt.Errorf("param %q is given twice", args[i].name)
		}
	}
	return args, nil
}

// argsOf returns the args of an event from outside.
func argsOf(data any) ([]arg, error) {
	v, err := datamodel.From(data)
	if err != nil || v == nil {
		return nil, err
	}
	object, ok := v.(*datamodel.Object)
	if !ok {
		return nil, errors.New("the data is not an object: want one member for each param")
	}
	var args []arg
	for name, value := range object.All() {
		args = append(args, arg{name, value})
	}
	return newArgs(args)
}

// appendArgs appends a text that differs for different args.
func appendArgs(dst []byte, args []arg) []byte {
	for _, a := range args {
		dst = append(strconv.AppendInt(dst, int64(len(a.name)), 10), ':')
		dst = append(dst, a.name...)
		if v, ok := a.value.(int64); ok {
			dst = strconv.AppendInt(append(dst, '='), v, 10)
		} else {
			dst = datamodel.AppendJSON(append(dst, '='), a.value)
		}
	}
	return dst
}

// A pattern matches events by name and args.
type pattern struct {
	names, except []string // descriptors, see matchesName
	args          []arg

	set  bits // of the events that match
	upto int  // how many events of the table were asked
}

func (p *pattern) matches(e *event) bool {
	return matchesName(p.names, e.name) && !matchesName(p.except, e.name) && !slices.ContainsFunc(p.args, func(want arg) bool {
		return !slices.Contains(e.args, want)
	})
}

// descriptors splits the text of an attribute into event descriptors without wildcards at the end,
// which mean the same (REC 3.12.1). "" stands for "*".
func descriptors(text string) []string {
	var names []string
	for _, d := range strings.Fields(text) {
		names = append(names, strings.TrimSuffix(strings.TrimSuffix(d, "*"), "."))
	}
	return names
}

// matchesName reports whether one of the descriptors matches the name of an event.
func matchesName(names []string, name string) bool {
	return slices.ContainsFunc(names, func(d string) bool {
		return d == "" || strings.HasPrefix(name, d) && (len(name) == len(d) || name[len(d)] == '.')
	})
}

// A table numbers events and patterns.
type table struct {
	events   []*event
	byText   map[string]eventID
	byData   map[*datamodel.Object]eventID // those with args, by the data that the table has made
	patterns map[string]*pattern
	space    []byte
}

func newTable() table {
	return table{
		byText: make(map[string]eventID), byData: make(map[*datamodel.Object]eventID),
		patterns: make(map[string]*pattern),
	}
}

// event returns the number of the event with a name and sorted args, which is entered if it is new.
func (t *table) event(name string, args []arg) eventID {
	t.space = appendArgs(append(append(t.space[:0], name...), ' '), args)
	id, ok := t.byText[string(t.space)]
	if !ok {
		id = eventID(len(t.events))
		e := &event{name: name, args: args}
		if len(args) > 0 {
			data := new(datamodel.Object)
			for _, a := range args {
				data.Set(a.name, a.value)
			}
			e.data = data
			t.byData[data] = id
		}
		t.events = append(t.events, e)
		t.byText[string(t.space)] = id
	}
	return id
}

// pattern returns the pattern of a bid.
func (t *table) pattern(b *bid) *pattern {
	t.space = append(append(append(t.space[:0], b.event...), '\n'), b.except...)
	t.space = appendArgs(append(t.space, '\n'), b.args)
	p, ok := t.patterns[string(t.space)]
	if !ok {
		p = &pattern{names: descriptors(b.event), except: descriptors(b.except), args: b.args}
		t.patterns[string(t.space)] = p
	}
	return p
}

// matching returns the set of all events of the table that the pattern matches.
func (t *table) matching(p *pattern) bits {
	for ; p.upto < len(t.events); p.upto++ {
		if p.matches(t.events[p.upto]) {
			p.set.add(eventID(p.upto))
		}
	}
	return p.set
}

// bits is a set of events.
type bits []uint64

func (b bits) has(id eventID) bool { return int(id>>6) < len(b) && b[id>>6]&(1<<(id&63)) != 0 }

func (b *bits) add(id eventID) {
	for int(id>>6) >= len(*b) {
		*b = append(*b, 0)
	}
	(*b)[id>>6] |= 1 << (id & 63)
}

// or adds the events of c.
func (b *bits) or(c bits) {
	for len(*b) < len(c) {
		*b = append(*b, 0)
	}
	into := *b
	for i, word := range c {
		into[i] |= word
	}
}
