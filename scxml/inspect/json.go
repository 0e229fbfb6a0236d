package inspect

import (
	"encoding/json"
	"math"
	"strconv"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/internal/short"
	"github.com/scxmlrun/scxmlrun/scxml/record"
)

// Data in answers is shortened, so that a page can always show it.
const (
	maxShort = 81       // characters of a text, with the "…" of a longer one
	maxLine  = 400      // bytes of the data in a row
	maxValue = 16 << 10 // bytes of a data item
)

// long is a data item.
type long struct{ datamodel.Value }

func (v long) MarshalJSON() ([]byte, error) { return shorten(v.Value, maxValue), nil }

// shorten returns a value in JSON. One that is larger is replaced by an object with the key $long,
// the beginning of its text.
func shorten(v datamodel.Value, limit int) []byte {
	if size, _ := datamodel.Size(v, limit, math.MaxInt); size <= limit {
		if text := datamodel.AppendJSON(nil, v); len(text) <= limit {
			return text
		}
	}
	text, _ := json.Marshal(map[string]string{"$long": short.Text(beginning(v), maxShort)}) // a string cannot fail
	return text
}

// beginning returns the text of a value, which is large, or what it is.
func beginning(v datamodel.Value) string {
	const readable = 1 << 20
	switch v := v.(type) {
	case string:
		return v
	case []datamodel.Value:
		if len(v) > maxLine {
			return "[" + strconv.Itoa(len(v)) + " values]"
		}
	}
	if size, _ := datamodel.Size(v, readable, math.MaxInt); size > readable {
		return "more than 1 MB"
	}
	return datamodel.Text(v)
}

// milliseconds is a time span in JSON.
type milliseconds time.Duration

func (m milliseconds) MarshalJSON() ([]byte, error) {
	return strconv.AppendFloat(nil, float64(time.Duration(m).Microseconds())/1000, 'f', -1, 64), nil
}

// MarshalJSON never writes null.
func (l list) MarshalJSON() ([]byte, error) {
	if l == nil {
		return []byte("[]"), nil
	}
	return json.Marshal([]string(l))
}

// recordJSON is a record in the form of the machine protocol.
type recordJSON struct{ *record.Record }

func (r recordJSON) MarshalJSON() ([]byte, error) { return r.AppendJSON(nil), nil }

// An event in JSON.
type event struct {
	Name       string          `json:"name"`
	Data       json.RawMessage `json:"data,omitempty"`
	Type       string          `json:"type,omitempty"`
	SendID     string          `json:"sendid,omitempty"`
	Origin     string          `json:"origin,omitempty"`
	OriginType string          `json:"origintype,omitempty"`
	InvokeID   string          `json:"invokeid,omitempty"`
	Target     string          `json:"target,omitempty"`
	Delay      *milliseconds   `json:"delay_ms,omitempty"`
}

// newEvent returns an event, with data of at most limit bytes.
func newEvent(ev *scxml.Event, limit int) *event {
	e := &event{Name: ev.Name, Type: ev.Type.String(), SendID: ev.SendID, Origin: ev.Origin, OriginType: ev.OriginType, InvokeID: ev.InvokeID}
	if ev.Data != nil {
		e.Data = shorten(ev.Data, limit)
	}
	return e
}
