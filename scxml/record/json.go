package record

import (
	"bytes"
	"strconv"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// AppendJSON appends the JSON form, an object without a line break, and returns the extended slice.
// It has all fields of the kind in a fixed order; a missing text is null. Times are in
// milliseconds, to the microsecond, except the exact time of Clock.
func (r *Record) AppendJSON(dst []byte) []byte {
	f := &forms[r.Kind]
	dst = append(append(append(dst, `{"type":"`...), f.name...), `","seq":`...)
	dst = strconv.AppendInt(dst, r.Seq, 10)
	dst = appendMilliseconds(append(dst, `,"time_ms":`...), r.Time)
	dst = appendText(append(dst, `,"session":`...), r.Session)
	if r.InvokeID != "" && !r.Kind.hasInvokeID() {
		dst = appendString(append(dst, `,"invokeid":`...), r.InvokeID)
	}
	for _, field := range f.fields {
		if field == answers && r.Kind == Cancel && !r.answers() {
			continue
		}
		dst = append(append(append(dst, `,"`...), fieldNames[field]...), `":`...)
		dst = r.appendField(dst, field)
		if field == answers && r.ID != nil {
			dst = datamodel.AppendJSON(append(dst, `,"id":`...), r.ID)
		}
	}
	if r.InvokeID != "" && r.Kind.hasInvokeID() {
		dst = appendString(append(dst, `,"invokedas":`...), r.InvokeID)
	}
	return append(dst, '}')
}

// hasInvokeID reports whether the kind has its own invokeid.
func (k Kind) hasInvokeID() bool {
	return k == Event || k == Arrive || k == Outcome || k == Invoke || k == CancelInvoke
}

// appendField appends the value of a field as JSON.
func (r *Record) appendField(dst []byte, f field) []byte {
	if text := r.text(f); text != nil {
		return appendText(dst, *text)
	}
	if list := r.texts(f); list != nil {
		dst = append(dst, '[')
		for i, s := range *list {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendString(dst, s)
		}
		return append(dst, ']')
	}
	if v := r.value(f); v != nil {
		return datamodel.AppendJSON(dst, *v)
	}
	switch f {
	case eventType:
		return appendString(dst, r.Event.Type.String())
	case delay:
		return appendMilliseconds(dst, r.Delay)
	case due:
		if r.Delayed {
			return appendMilliseconds(dst, r.Due)
		}
	case stack:
		dst = append(dst, '[')
		for i, frame := range r.Stack {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendString(append(dst, `{"func":`...), frame.Func)
			dst = appendString(append(dst, `,"at":`...), frame.At)
			dst = append(dst, '}')
		}
		return append(dst, ']')
	case count, transitions:
		return strconv.AppendInt(dst, int64(r.Count), 10)
	case line:
		return strconv.AppendInt(dst, int64(r.Line), 10)
	case answers:
		if r.ID != nil {
			return datamodel.AppendJSON(dst, r.ID)
		}
		if r.Line > 0 {
			return strconv.AppendInt(dst, int64(r.Line), 10)
		}
	case now:
		return append(r.Now.UTC().AppendFormat(append(dst, '"'), time.RFC3339Nano), '"')
	case protocol:
		return strconv.AppendInt(dst, int64(r.Hello.Protocol), 10)
	case seed:
		return strconv.AppendUint(dst, r.Hello.Seed, 10)
	case restored:
		return strconv.AppendBool(dst, r.Hello.Restored)
	}
	return append(dst, "null"...)
}

// text returns the field if it is a text.
func (r *Record) text(f field) *string {
	switch f {
	case name, event:
		return &r.Event.Name
	case sendID:
		return &r.Event.SendID
	case origin:
		return &r.Event.Origin
	case originType:
		return &r.Event.OriginType
	case invokeID:
		return &r.Event.InvokeID
	case raw:
		return &r.Event.Raw
	case target:
		return &r.Target
	case processor:
		return &r.Processor
	case state, source, final:
		return &r.State
	case cond:
		return &r.Cond
	case label, location:
		return &r.Label
	case message:
		return &r.Message
	case element:
		return &r.Element
	case at:
		return &r.At
	case child:
		return &r.Child
	case chart:
		if r.Kind == Hello {
			return &r.Hello.Chart
		}
		return &r.Chart
	case reason:
		return &r.Reason
	case clock:
		return &r.Hello.Clock
	case file:
		return &r.Hello.File
	case model:
		return &r.Hello.Datamodel
	case version:
		return &r.Hello.Version
	}
	return nil
}

// texts returns the field if it is a list of texts.
func (r *Record) texts(f field) *[]string {
	switch f {
	case configuration:
		return &r.Configuration
	case atomic:
		return &r.Atomic
	case events:
		return &r.Events
	case targets:
		return &r.Targets
	}
	return nil
}

// value returns the field if it is data.
func (r *Record) value(f field) *datamodel.Value {
	switch f {
	case data:
		return &r.Event.Data
	case value, doneData:
		return &r.Value
	}
	return nil
}

// appendString appends a string in quotes, without an allocation if it needs no escapes.
func appendString(dst []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c >= 0x7f {
			return datamodel.AppendJSON(dst, s)
		}
	}
	return append(append(append(dst, '"'), s...), '"')
}

// appendText appends a text, or null for the empty text.
func appendText(dst []byte, s string) []byte {
	if s == "" {
		return append(dst, "null"...)
	}
	return appendString(dst, s)
}

// appendMilliseconds appends a time span, to the microsecond.
func appendMilliseconds(dst []byte, d time.Duration) []byte {
	us := int64(d.Round(time.Microsecond) / time.Microsecond)
	if us < 0 {
		dst, us = append(dst, '-'), -us
	}
	dst = strconv.AppendInt(dst, us/1000, 10)
	if us %= 1000; us == 0 {
		return dst
	}
	return bytes.TrimRight(append(dst, '.', byte('0'+us/100), byte('0'+us/10%10), byte('0'+us%10)), "0")
}
