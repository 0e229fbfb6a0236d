package fast

import (
	"encoding/binary"
	"math"
)

// small is the bit of a byte that is an integer from -64 to 63. Other values begin with their kind.
const small = 0x80

// Append adds an item with a value.
func (l *Items) Append(name string, v Operand) {
	l.Add(name)
	l.values = append(l.values, v)
}

// AppendState appends the items, which must all be primitive values, to dst.
func (l *Items) AppendState(dst []byte) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(l.values)))
	for i := range l.values {
		dst = appendText(dst, l.Names[i])
		switch v := &l.values[i]; {
		case v.kind == kindNumber && v.number == math.Trunc(v.number) && v.number >= -64 && v.number < 64 && !(v.number == 0 && math.Signbit(v.number)):
			dst = append(dst, small|byte(int(v.number))&0x7f)
		case v.kind == kindNumber || v.kind == kindBool:
			dst = binary.LittleEndian.AppendUint64(append(dst, byte(v.kind)), math.Float64bits(v.number))
		case v.kind == kindText || v.kind == kindString:
			dst = appendText(append(dst, byte(v.kind)), v.text)
		default:
			dst = append(dst, byte(v.kind))
		}
	}
	return dst
}

func appendText(dst []byte, text string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(text))), text...)
}

// LoadState makes what AppendState has appended the items. Names and texts that are there already take
// no memory. It reports whether the state is well-formed; otherwise the items are undefined.
func (l *Items) LoadState(state []byte) bool {
	n, size := binary.Uvarint(state)
	if size <= 0 || n > uint64(len(state)) {
		return false
	}
	state = state[size:]
	for i := range int(n) {
		name, rest, ok := cutText(state)
		if !ok || len(rest) == 0 {
			return false
		}
		if i >= len(l.values) || l.Names[i] != string(name) {
			l.truncate(i)
			l.Append(string(name), Operand{})
		}
		if state, ok = l.values[i].load(rest); !ok {
			return false
		}
	}
	l.truncate(int(n))
	return len(state) == 0
}

// load reads a value, and returns what follows it.
func (v *Operand) load(state []byte) (rest []byte, ok bool) {
	first, rest := state[0], state[1:]
	if first&small != 0 {
		*v = numberOperand(float64(int8(first<<1) >> 1))
		return rest, true
	}
	switch k := kind(first); k {
	case kindUndefined, kindNull:
		*v = Operand{kind: k}
	case kindNumber, kindBool:
		if len(rest) < 8 {
			return nil, false
		}
		*v = Operand{kind: k, number: math.Float64frombits(binary.LittleEndian.Uint64(rest))}
		rest = rest[8:]
	case kindText, kindString:
		var text []byte
		if text, rest, ok = cutText(rest); !ok {
			return nil, false
		}
		if v.kind != k || v.text != string(text) {
			*v = Operand{kind: k, text: string(text)}
		}
	default:
		return nil, false
	}
	return rest, true
}

func cutText(state []byte) (text, rest []byte, ok bool) {
	n, size := binary.Uvarint(state)
	if size <= 0 || n > uint64(len(state)-size) {
		return nil, nil, false
	}
	state = state[size:]
	return state[:n], state[n:], true
}

// truncate keeps the first n items.
func (l *Items) truncate(n int) {
	if n == len(l.Names) && n == len(l.values) {
		return
	}
	// The values may have moved to a runtime.
	n = min(n, len(l.values))
	clear(l.values[n:])
	l.Names, l.values, l.index = l.Names[:n], l.values[:n], nil
}
