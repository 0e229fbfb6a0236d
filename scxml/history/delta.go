package history

import (
	"encoding/binary"
	"errors"
)

// A base is a text that later ones differ little from, with an index of its blocks.
type base struct {
	text   []byte
	packed packed
	table  []int32 // by the hash of a block: 1 + its offset, the last one with that hash
}

// blockSize is the length of the shortest common part that diff looks for.
const blockSize = 16

func newBase(text []byte) *base {
	size := 64
	for size < len(text)/blockSize*2 {
		size *= 2
	}
	b := &base{text, pack(text), make([]int32, size)}
	for at := 0; at+blockSize <= len(text); at += blockSize {
		b.table[b.slot(text[at:])] = int32(at) + 1
	}
	return b
}

// slot returns the place of a block in the table.
func (b *base) slot(block []byte) int {
	h := binary.LittleEndian.Uint64(block)*0x9e3779b97f4a7c15 ^ binary.LittleEndian.Uint64(block[8:])
	h *= 0xff51afd7ed558ccd
	return int(h >> 32 & uint64(len(b.table)-1))
}

// diff returns how text differs from the base: a sequence of new bytes, their number first, each
// followed by a part of the base, its length and offset.
func (b *base) diff(text []byte) (delta []byte) {
	fresh := 0 // where the bytes begin that are not written yet
	for i := 0; i+blockSize <= len(text); {
		at := int(b.table[b.slot(text[i:])]) - 1
		n := 0
		if at >= 0 {
			n = common(b.text[at:], text[i:])
		}
		if n < blockSize {
			i++
			continue
		}
		for i > fresh && at > 0 && text[i-1] == b.text[at-1] {
			i, at, n = i-1, at-1, n+1
		}
		delta = appendText(delta, text[fresh:i])
		delta = binary.AppendUvarint(binary.AppendUvarint(delta, uint64(n)), uint64(at))
		i += n
		fresh = i
	}
	return appendText(delta, text[fresh:])
}

func appendText(dst, text []byte) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(text))), text...)
}

// common returns the length of the common beginning.
func common(a, b []byte) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// patch returns the text that differs from base by delta, base itself if delta is empty.
func patch(base, delta []byte) (text []byte, err error) {
	if len(delta) == 0 {
		return base, nil
	}
	number := func() int {
		n, size := binary.Uvarint(delta)
		if size <= 0 || n > 1<<40 {
			err, delta = errDelta, nil
			return 0
		}
		delta = delta[size:]
		return int(n)
	}
	for len(delta) > 0 {
		n := number()
		if n > len(delta) {
			return nil, errDelta
		}
		text, delta = append(text, delta[:n]...), delta[n:]
		if len(delta) == 0 {
			break
		}
		n = number()
		at := number()
		if at > len(base) || n > len(base)-at {
			return nil, errDelta
		}
		text = append(text, base[at:at+n]...)
	}
	return text, err
}

var errDelta = errors.New("the delta is damaged")
