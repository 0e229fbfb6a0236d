// Package codec writes and reads the binary form of what stores keep. One function describes a value, and
// serves both ways: it gives a [Coder] a pointer to each field in turn.
package codec

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"time"
)

// A Coder appends the values that it is given, or sets them to what it reads. Numbers are varints, and texts
// and lists begin with their length. After an error in what it reads it sets zeros.
type Coder struct {
	data    []byte
	reading bool
	bad     bool
}

// Append appends what describe gives to the coder.
func Append(b []byte, describe func(*Coder)) []byte {
	c := Coder{data: b}
	describe(&c)
	return c.data
}

// Read reads what Append has appended, and returns what follows it. ok is false if it is damaged.
func Read(b []byte, describe func(*Coder)) (remaining []byte, ok bool) {
	c := Coder{data: b, reading: true}
	describe(&c)
	return c.data, !c.bad
}

// Fail says that what is read cannot be right.
func (c *Coder) Fail() { c.bad, c.data = true, nil }

// Uint takes a number that is not negative.
func Uint[T ~int | ~uint8 | ~uint64](c *Coder, n *T) {
	if !c.reading {
		c.data = binary.AppendUvarint(c.data, uint64(*n))
		return
	}
	v, size := binary.Uvarint(c.data)
	if size <= 0 {
		v, size = 0, 0
		c.Fail()
	}
	*n, c.data = T(v), c.data[size:]
}

// count takes the length of something. Each of its parts has at least a byte.
func (c *Coder) count(n int) int {
	v := uint64(n)
	if Uint(c, &v); c.reading && v > uint64(len(c.data)) {
		c.Fail()
		return 0
	}
	return int(v)
}

// Bytes takes bytes. Those that are read share the memory of what Read was given.
func (c *Coder) Bytes(b *[]byte) {
	n := c.count(len(*b))
	if !c.reading {
		c.data = append(c.data, *b...)
		return
	}
	*b, c.data = c.data[:n:n], c.data[n:]
}

// Copy takes bytes. Those that are read have their own memory.
func (c *Coder) Copy(b *[]byte) {
	if c.Bytes(b); c.reading {
		*b = bytes.Clone(*b)
	}
}

// String takes a text.
func (c *Coder) String(s *string) {
	n := c.count(len(*s))
	if !c.reading {
		c.data = append(c.data, *s...)
		return
	}
	*s, c.data = string(c.data[:n]), c.data[n:]
}

// Bool takes a truth value.
func (c *Coder) Bool(b *bool) {
	n := uint64(0)
	if *b {
		n = 1
	}
	if Uint(c, &n); n > 1 {
		c.Fail()
	}
	*b = n == 1
}

// Time takes a time. It keeps the zero time, and others to the nanosecond, in UTC.
func (c *Coder) Time(t *time.Time) {
	if !c.reading {
		n := int64(0)
		if !t.IsZero() {
			n = t.UnixNano()
		}
		c.data = binary.AppendVarint(c.data, n)
		return
	}
	n, size := binary.Varint(c.data)
	if size <= 0 {
		n, size = 0, 0
		c.Fail()
	}
	*t, c.data = time.Time{}, c.data[size:]
	if n != 0 {
		*t = time.Unix(0, n).UTC()
	}
}

// List takes a list, which is nil before it is read.
func List[T any](c *Coder, list *[]T, item func(*T)) {
	for i := range c.count(len(*list)) {
		if c.reading {
			*list = append(*list, *new(T))
		}
		item(&(*list)[i])
	}
}

// Strings takes a list of texts.
func (c *Coder) Strings(list *[]string) {
	for i := range c.count(len(*list)) {
		if c.reading {
			*list = append(*list, "")
		}
		c.String(&(*list)[i])
	}
}

// Checksum returns the CRC-32C of bytes, one after the other. The table is made when it is first asked for.
func Checksum(parts ...[]byte) (sum uint32) {
	for _, part := range parts {
		sum = crc32.Update(sum, crc32.MakeTable(crc32.Castagnoli), part)
	}
	return sum
}
