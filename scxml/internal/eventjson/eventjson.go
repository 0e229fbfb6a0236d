// Package eventjson has the JSON form of events and of their data, for package encoding/json.
// Snapshots have this form, and so do the messages between a child of package isolate and its parent.
package eventjson

import (
	"fmt"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// A Value is a neutral value in the form of [datamodel.AppendJSON]. A field of this type should have
// the tag omitzero, which leaves out undefined.
type Value struct{ V datamodel.Value }

// MarshalJSON implements [json.Marshaler].
func (v Value) MarshalJSON() ([]byte, error) { return datamodel.AppendJSON(nil, v.V), nil }

// UnmarshalJSON implements [json.Unmarshaler].
func (v *Value) UnmarshalJSON(text []byte) (err error) {
	v.V, err = datamodel.ParseJSON(text)
	return err
}

// Object returns the object that the value is, or nil for undefined. ok is false for other values.
func (v Value) Object() (o *datamodel.Object, ok bool) {
	o, ok = v.V.(*datamodel.Object)
	return o, ok || v.V == nil
}

// OfObject returns an object, which may be nil, as a Value.
func OfObject(o *datamodel.Object) Value {
	if o == nil {
		return Value{}
	}
	return Value{o}
}

// An Event is a [datamodel.Event] whose data is neutral.
type Event struct {
	Name       string `json:"name"`
	Type       string `json:"type,omitempty"` // external if missing
	Data       Value  `json:"data,omitzero"`
	SendID     string `json:"sendid,omitempty"`
	Origin     string `json:"origin,omitempty"`
	OriginType string `json:"origintype,omitempty"`
	InvokeID   string `json:"invokeid,omitempty"`
	Raw        string `json:"raw,omitempty"`
}

// Of returns an event.
func Of(ev datamodel.Event) Event {
	e := Event{Name: ev.Name, Data: Value{ev.Data}, SendID: ev.SendID, Origin: ev.Origin, OriginType: ev.OriginType, InvokeID: ev.InvokeID, Raw: ev.Raw}
	if ev.Type != datamodel.External {
		e.Type = ev.Type.String()
	}
	return e
}

// Event is the inverse of Of. The error is about the type.
func (e *Event) Event() (datamodel.Event, error) {
	ev := datamodel.Event{
		Name: e.Name, Data: e.Data.V, SendID: e.SendID, Origin: e.Origin, OriginType: e.OriginType, InvokeID: e.InvokeID, Raw: e.Raw,
	}
	for ev.Type <= datamodel.Platform {
		if e.Type == ev.Type.String() || e.Type == "" {
			return ev, nil
		}
		ev.Type++
	}
	return datamodel.Event{}, fmt.Errorf("event %q has unknown type %q", e.Name, e.Type)
}
