package fleet

import (
	"encoding/json"
	"errors"

	"github.com/scxmlrun/scxmlrun/scxml/fleet/internal/codec"
)

// entryVersion begins an entry of a log. Entries of earlier versions of this package are JSON.
const entryVersion = 1

var errEntry = errors.New("an entry of the log is damaged")

// encode returns the entry without its Revision.
func (x *Entry) encode() []byte { return codec.Append(make([]byte, 0, 128), x.code) }

// decodeEntry reads what encode has written.
func decodeEntry(b []byte) (x Entry, err error) {
	if len(b) > 0 && b[0] == '{' {
		err = json.Unmarshal(b, &x)
		return x, err
	}
	if remaining, ok := codec.Read(b, x.code); !ok || len(remaining) > 0 {
		return Entry{}, errEntry
	}
	return x, nil
}

func (x *Entry) code(c *codec.Coder) {
	version := uint64(entryVersion)
	if codec.Uint(c, &version); version != entryVersion {
		c.Fail()
	}
	c.Time(&x.Time)
	codec.List(c, &x.Steps, func(s *Step) {
		c.String(&s.Kind)
		c.String(&s.Event)
		codec.Uint(c, &s.Position)
		codec.Uint(c, &s.Task)
		c.Bool(&s.Handled)
		c.String(&s.Note)
		for _, list := range [...]*[]string{&s.Exited, &s.Entered, &s.Sent, &s.Errors} {
			c.Strings(list)
		}
	})
	c.String(&x.Status)
	c.Strings(&x.Configuration)
}
