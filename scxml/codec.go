package scxml

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/internal/table"
)

// A codec writes the state of a session tree in binary, or reads it. Both are one walk, so what one
// writes the other reads: the codec of a value takes a pointer, and writes the value there or
// replaces it. A codec belongs to its tree and keeps what it can use again.
type codec struct {
	t     *tree
	data  []byte // written so far, or left to be read
	reads bool
	key   bool  // write a key, see AppendKey
	ids   bool  // with generated ids and random numbers
	err   error // the first one

	texts    map[string]string // that were read
	sessions []*Session        // the tree before reading, by place
	timers   []*timer
	charts   map[computed]*Chart
	space    []byte

	past struct { // the data of the last event that was read
		text  []byte
		value datamodel.Value
	}
}

// computed names a chart that an <invoke> has made of a value.
type computed struct {
	*invoke
	content string
}

// codecMemory is how many texts and charts a codec remembers.
const codecMemory = 1000

var errState = errors.New("the state is damaged, or belongs to another chart")

func (c *codec) fail(err error) {
	if c.err == nil {
		c.err = err
	}
	if c.reads {
		c.data = nil // so that reading ends soon
	}
}

// check fails unless err is nil.
func (c *codec) check(err error) {
	if err != nil {
		c.fail(err)
	}
}

// number is the codec of integers.
func number[T ~int | ~int32 | ~int64 | ~uint8 | ~uint64](c *codec, v *T) {
	if !c.reads {
		c.data = binary.AppendVarint(c.data, int64(*v))
		return
	}
	if len(c.data) > 0 && c.data[0] < 0x80 && c.data[0]&1 == 0 { // most are small
		*v = T(c.data[0] >> 1)
		c.data = c.data[1:]
		return
	}
	n, size := binary.Varint(c.data)
	if *v = T(n); size <= 0 || int64(*v) != n {
		*v = 0
		c.fail(errState)
		return
	}
	c.data = c.data[size:]
}

func (c *codec) flag(v *bool) {
	var n uint8
	if *v {
		n = 1
	}
	number(c, &n)
	*v = n == 1
}

// length is the codec of the length of a list. What follows has at least a byte for each item.
func (c *codec) length(n int) int {
	if number(c, &n); c.reads && (n < 0 || n > len(c.data)) {
		c.fail(errState)
		return 0
	}
	return n
}

// bytes is the codec of bytes. What it has read is a part of the state.
func (c *codec) bytes(v []byte) []byte {
	n := c.length(len(v))
	if !c.reads {
		c.data = append(c.data, v...)
		return v
	}
	v, c.data = c.data[:n], c.data[n:]
	return v
}

func (c *codec) text(v *string) {
	if !c.reads {
		c.length(len(*v))
		c.data = append(c.data, *v...)
		return
	}
	text := c.bytes(nil)
	if string(text) == *v {
		return
	}
	known, ok := c.texts[string(text)]
	if !ok {
		known = string(text)
		if c.texts == nil || len(c.texts) == codecMemory {
			c.texts = make(map[string]string)
		}
		c.texts[known] = known
	}
	*v = known
}

func (c *codec) value(v *datamodel.Value) {
	if !c.reads {
		c.space = c.space[:0]
		if *v != nil {
			c.space = datamodel.AppendJSON(c.space, *v)
		}
		c.bytes(c.space)
		return
	}
	*v = nil
	if text := c.bytes(nil); len(text) > 0 {
		var err error
		*v, err = datamodel.ParseJSON(text)
		c.check(err)
	}
}

func (c *codec) time(v *time.Time) {
	var err error
	if c.reads {
		err = v.UnmarshalBinary(c.bytes(nil))
	} else {
		c.space, err = v.AppendBinary(c.space[:0])
		c.bytes(c.space)
	}
	c.check(err)
}

// set is the codec of a set of states of the chart, which may be nil.
func (c *codec) set(chart *Chart, set table.Set) {
	for i := range set {
		switch {
		case !c.reads:
			c.data = binary.LittleEndian.AppendUint64(c.data, set[i])
		case len(c.data) < 8:
			set[i] = 0
			c.fail(errState)
		default:
			set[i] = binary.LittleEndian.Uint64(c.data)
			c.data = c.data[8:]
		}
	}
	if last := len(chart.states) % 64; c.reads && last > 0 && len(set) > 0 && set[len(set)-1]>>last != 0 {
		clear(set)
		c.fail(errState)
	}
}

// state is the codec of a state of the chart, or None.
func (c *codec) state(chart *Chart, st *table.State) {
	if number(c, st); c.reads && (*st < table.None || int(*st) >= len(chart.states)) {
		*st = table.None
		c.fail(errState)
	}
}

// reason is the codec of the reason why a session was stopped, or is about to be.
func (c *codec) reason(err error) error {
	if !c.reads {
		var text []byte
		if err != nil {
			var failed error
			text, failed = json.Marshal(saveReason(err))
			c.check(failed)
		}
		c.bytes(text)
		return err
	}
	text := c.bytes(nil)
	if len(text) == 0 {
		return nil
	}
	saved := new(savedReason)
	c.check(json.Unmarshal(text, saved))
	return saved.restore()
}
