package fast

import (
	"unicode/utf8"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// maxCopied is how many values Copy copies. More are left to the runtime, whose exports can be
// interrupted.
const maxCopied = 100_000

// Copy returns a copy of v as it would be after it was in the runtime, if that is simple enough.
func Copy(v datamodel.Value) (datamodel.Value, bool) {
	c := copier{left: maxCopied}
	return c.copy(v, 0)
}

type copier struct{ left int }

func (c *copier) copy(v datamodel.Value, depth int) (datamodel.Value, bool) {
	if c.left--; c.left < 0 {
		return nil, false
	}
	switch x := v.(type) {
	case nil, datamodel.Function:
		return nil, true
	case datamodel.NullType, bool:
		return v, true
	case int64:
		const safe = 1 << 53
		if x < -safe || x > safe {
			return datamodel.Number(float64(x)), true
		}
		return v, true
	case float64:
		return datamodel.Number(x), true
	case string:
		return v, utf8.ValidString(x)
	case []datamodel.Value:
		if depth >= datamodel.MaxDepth {
			return nil, false
		}
		out := make([]datamodel.Value, len(x))
		for i, item := range x {
			var ok bool
			if out[i], ok = c.copy(item, depth+1); !ok {
				return nil, false
			}
		}
		return out, true
	case *datamodel.Object:
		if depth >= datamodel.MaxDepth || x == nil {
			return nil, false
		}
		out := datamodel.NewObject()
		for key, item := range x.All() {
			// Keys that are integers come first in the runtime.
			if !utf8.ValidString(key) || key != "" && key[0] >= '0' && key[0] <= '9' {
				return nil, false
			}
			item, ok := c.copy(item, depth+1)
			if !ok {
				return nil, false
			}
			out.Set(key, item)
		}
		return out, true
	}
	return nil, false
}
