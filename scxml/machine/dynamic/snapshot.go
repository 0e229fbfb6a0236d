package dynamic

import (
	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/machine"
)

// Save returns the data as snapshots have them.
func (s *Store) Save() ([]byte, error) { return s.store.(datamodel.Saver).Save(s.exprs) }

// Load opens a store with saved data. Without any, it has none.
func (s *Store) Load(n machine.Node, p *Program, data []byte, ev *machine.Event) error {
	s.Open(n, p)
	if ev != nil {
		s.SetEvent(ev)
	}
	if data == nil {
		return nil
	}
	return s.store.(datamodel.Saver).Load(data, s.exprs)
}

// AppendValue appends a value as snapshots have it.
func AppendValue(dst []byte, v any) []byte { return datamodel.AppendJSON(dst, neutral(v)) }

// ParseValue is the inverse of AppendValue.
func ParseValue(text []byte) (any, error) { return datamodel.ParseJSON(text) }
