package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// ParseJSON reads the JSON form. It ignores fields that the kind does not have, missing fields are
// zero, and a record of an unknown kind has the kind [Unknown].
func ParseJSON(text []byte) (r Record, err error) {
	v, err := datamodel.ParseJSON(text)
	if err != nil {
		return r, fmt.Errorf("cannot read a record: %w", err)
	}
	o, ok := v.(*datamodel.Object)
	if !ok {
		return r, errors.New("cannot read a record: it is not an object")
	}
	kind, _ := o.Get("type")
	kindName, ok := kind.(string)
	if !ok {
		return r, errors.New(`cannot read a record: its "type" is not a string`)
	}
	if r.Kind = kindsByName[kindName]; r.Kind == Unknown {
		return r, nil
	}
	seq, _ := o.Get("seq")
	at, _ := o.Get("time_ms")
	session, _ := o.Get("session")
	key := "invokeid"
	if r.Kind.hasInvokeID() {
		key = "invokedas"
	}
	invoked, _ := o.Get(key)
	err = errors.Join(
		setInteger(&r.Seq, seq, "seq"), setDuration(&r.Time, at, "time_ms"), setText(&r.Session, session, "session"), setText(&r.InvokeID, invoked, key))
	if r.Kind == Hello {
		r.Hello = new(Greeting)
		// A seed has more digits than a Value keeps.
		var exact struct{ Seed uint64 }
		if json.Unmarshal(text, &exact) == nil {
			r.Hello.Seed = exact.Seed
		}
	}
	for _, f := range forms[r.Kind].fields {
		if v, ok := o.Get(fieldNames[f]); ok && err == nil {
			err = r.setField(f, v)
		}
	}
	if id, ok := o.Get("id"); ok && err == nil {
		err = r.setID(id)
	}
	if err != nil {
		return Record{}, fmt.Errorf("cannot read a record of type %q: %w", kindName, err)
	}
	return r, nil
}

// setField sets a field to a value written by appendField.
func (r *Record) setField(f field, v datamodel.Value) error {
	name := fieldNames[f]
	if text := r.text(f); text != nil {
		return setText(text, v, name)
	}
	if list := r.texts(f); list != nil {
		items, ok := v.([]datamodel.Value)
		for _, item := range items {
			s, isText := item.(string)
			*list, ok = append(*list, s), ok && isText
		}
		return orBad(ok, name, "a list of strings")
	}
	if data := r.value(f); data != nil {
		*data = v
		return nil
	}
	switch f {
	case eventType:
		for t := datamodel.External; t <= datamodel.Platform; t++ {
			if v == t.String() {
				r.Event.Type = t
				return nil
			}
		}
		return orBad(false, name, `"external", "internal" or "platform"`)
	case delay:
		return setDuration(&r.Delay, v, name)
	case due:
		r.Delayed = v != nil && v != datamodel.Null
		return setDuration(&r.Due, v, name)
	case stack:
		return r.setStack(v)
	case count, transitions:
		return setInt(&r.Count, v, name)
	case line:
		return setInt(&r.Line, v, name)
	case answers:
		if _, isNumber := v.(int64); isNumber && r.Kind != Rejected { // if there is an id, setID comes later
			return setInt(&r.Line, v, name)
		}
	case now:
		text, _ := v.(string)
		t, err := time.Parse(time.RFC3339Nano, text)
		r.Now = t
		return orBad(err == nil, name, "a date of RFC 3339")
	case protocol:
		return setInt(&r.Hello.Protocol, v, name)
	case restored:
		ok := false
		r.Hello.Restored, ok = v.(bool)
		return orBad(ok, name, "a boolean")
	}
	return nil
}

func (r *Record) setID(v datamodel.Value) error {
	switch v.(type) {
	case string, int64, float64:
		r.ID = v
		if r.Kind != Rejected {
			r.Line = 0
		}
		return nil
	}
	return orBad(false, "id", "a string or a number")
}

func (r *Record) setStack(v datamodel.Value) error {
	list, ok := v.([]datamodel.Value)
	for _, item := range list {
		frame, isObject := item.(*datamodel.Object)
		if !isObject {
			ok = false
			break
		}
		fn, _ := frame.Get("func")
		at, _ := frame.Get("at")
		var next Frame
		if err := errors.Join(setText(&next.Func, fn, "func"), setText(&next.At, at, "at")); err != nil {
			return err
		}
		r.Stack = append(r.Stack, next)
	}
	return orBad(ok, "stack", "a list of objects")
}

func setText(to *string, v datamodel.Value, name string) error {
	if v == nil || v == datamodel.Null {
		return nil
	}
	s, ok := v.(string)
	*to = s
	return orBad(ok, name, "a string or null")
}

func setInteger(to *int64, v datamodel.Value, name string) error {
	n, ok := v.(int64)
	*to = n
	return orBad(ok || v == nil, name, "an integer")
}

func setInt(to *int, v datamodel.Value, name string) error {
	var n int64
	err := setInteger(&n, v, name)
	*to = int(n)
	return err
}

// setDuration reads milliseconds written by appendMilliseconds.
func setDuration(to *time.Duration, v datamodel.Value, name string) error {
	ms := math.NaN()
	switch v := v.(type) {
	case nil, datamodel.NullType:
		return nil
	case int64:
		ms = float64(v)
	case float64:
		ms = v
	}
	const most = float64(math.MaxInt64 / int64(time.Millisecond))
	if !(math.Abs(ms) <= most) {
		return orBad(false, name, "milliseconds within 292 years, or null")
	}
	*to = time.Duration(math.Round(ms*1000)) * time.Microsecond
	return nil
}

func orBad(ok bool, name, want string) error {
	if ok {
		return nil
	}
	return fmt.Errorf("%q is not %s", name, want)
}
