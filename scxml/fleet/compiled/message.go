package compiled

import (
	"strconv"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/machine"
)

func message(m machine.Message) scxml.Message {
	ev := scxml.Event{
		Name: m.Event.Name, Type: datamodel.EventType(m.Event.Type), SendID: m.Event.SendID, Origin: m.Event.Origin, OriginType: m.Event.OriginType,
		InvokeID: m.Event.InvokeID, Data: toValue(m.Event.Data), Raw: m.Event.Raw,
	}
	out := scxml.Message{Event: ev, Target: m.Target, Type: m.Type, Delay: m.Delay, Retry: retry(m.Retry), Pos: position(m.At)}
	for _, p := range m.Params {
		out.Params = append(out.Params, scxml.Param{Name: p.Name, Value: toValue(p.Value)})
	}
	return out
}

// retry reads an attribute that was checked when the chart was compiled.
func retry(text string) *scxml.Retry {
	if text == "" {
		return nil
	}
	r, _ := scxml.ParseRetry(text)
	return &r
}

// note adds what a machine did to what a session tells.
func note(effect *fleet.Effect, did machine.Effect) {
	effect.Exited, effect.Entered = append(effect.Exited, did.Exited...), append(effect.Entered, did.Entered...)
	for _, m := range did.Sent {
		effect.Sent = append(effect.Sent, message(m))
	}
	for _, e := range did.Errors {
		effect.Errors = append(effect.Errors, &scxml.ExecutionError{Event: e.Event, Element: e.Element, Pos: position(e.At), Msg: e.Msg, SendID: e.SendID})
	}
}

// position reads file:line:column.
func position(at string) (pos datamodel.Position) {
	parts := strings.Split(at, ":")
	if n := len(parts); n >= 3 {
		pos.File = strings.Join(parts[:n-2], ":")
		pos.Line, _ = strconv.Atoi(parts[n-2])
		pos.Col, _ = strconv.Atoi(parts[n-1])
	}
	return pos
}

// toValue returns data of a machine as a Value.
func toValue(v any) datamodel.Value {
	switch v := v.(type) {
	case machine.NullType:
		return datamodel.Null
	case machine.Fields:
		object := new(datamodel.Object)
		for _, f := range v {
			object.Set(f.Name, toValue(f.Value))
		}
		return object
	case []any:
		list := make([]datamodel.Value, len(v))
		for i, item := range v {
			list[i] = toValue(item)
		}
		return list
	case interface{ Data() any }: // an object or an array of a typed machine
		return toValue(v.Data())
	case float64:
		return datamodel.Number(v)
	case int:
		return int64(v)
	}
	return v
}

// fromValue is the inverse, for any data of an event.
func fromValue(v any) any {
	value, err := datamodel.From(v)
	if err != nil {
		return v // which the machine refuses
	}
	return ofMachine(value)
}

// ofMachine is fromValue for a Value.
func ofMachine(v datamodel.Value) any {
	switch v := v.(type) {
	case datamodel.NullType:
		return machine.Null
	case *datamodel.Object:
		fields := machine.Fields{}
		for name, item := range v.All() {
			fields = append(fields, machine.Field{Name: name, Value: ofMachine(item)})
		}
		return fields
	}
	return v
}
