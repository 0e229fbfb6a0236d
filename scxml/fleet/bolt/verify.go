package bolt

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"io"
	"slices"

	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/internal/index"
)

// bbolt trusts its pages: it has checksums on the two meta pages only, and panics, loops, reads outside
// the file or does not find a key when another page is damaged. So a store is read here from the first
// to the last page before bbolt gets it: the structure of the pages, the order of the keys, the
// checksum of each value, and the sum of all checksums. This also collects the index.

// contents is what a database has.
type contents struct {
	state    state
	index    index.Index
	files    map[string]uint32 // the checksums
	logs     int
	pending  int
	pageSize int
	pages    uint64 // that are in use
	free     uint64 // that bbolt can use again
}

// Sizes and flags of bbolt's file format, version 2.
const (
	pageHeader = 16 // id 8, flags 2, count 2, overflow 4
	element    = 16 // of branches: pos 4, ksize 4, pgid 8; of leaves: flags 4, pos 4, ksize 4, vsize 4
	branchPage = 1
	leafPage   = 2
	metaSize   = 64 // magic 4, version 4, page size 4, flags 4, root 8, sequence 8, freelist 8, pgid 8, txid 8, checksum 8
	metaMagic  = 0xED0CDAED
)

var native = binary.NativeEndian // as bbolt, whose files are mapped into memory

// A walker reads the pages of a database.
type walker struct {
	file     io.ReaderAt
	pageSize uint64
	high     uint64 // pages from this one on are not in use
	seen     []bool
	last     []byte   // the key before
	buffers  [][]byte // of a page of each depth
	leaf     func(flags uint32, k, v []byte) error
}

// verify reads a whole database of this page size.
func verify(file io.ReaderAt, pageSize int) (*contents, error) {
	root, high, err := readMeta(file, uint64(pageSize))
	if err != nil {
		return nil, err
	}
	w := &walker{file: file, pageSize: uint64(pageSize), high: high, seen: make([]bool, high)}
	var bucket []byte
	w.leaf = func(flags uint32, k, v []byte) error {
		if flags != 1 || !bytes.Equal(k, bucketName) || len(v) < 16 {
			return fmt.Errorf("%q is not a bucket of a store: %w", k, fleet.ErrCorrupt)
		}
		bucket = bytes.Clone(v)
		return nil
	}
	if err := w.page(root, 0, nil, nil); err != nil {
		return nil, err
	}
	if bucket == nil {
		return nil, fmt.Errorf("it has no bucket of a store: %w", fleet.ErrCorrupt)
	}
	c := &contents{pageSize: pageSize, files: map[string]uint32{}}
	if err := w.bucket(bucket, c); err != nil {
		return nil, err
	}
	for _, seen := range w.seen[2:] {
		if seen {
			c.pages++
		} else {
			c.free++
		}
	}
	return c, nil
}

// readMeta returns the root page and the number of pages of the last transaction.
func readMeta(file io.ReaderAt, pageSize uint64) (root, high uint64, err error) {
	last, found := uint64(0), false
	for page := range uint64(2) {
		b := make([]byte, pageHeader+metaSize)
		if err := readAt(file, b, page, pageSize); err != nil {
			return 0, 0, err
		}
		m := b[pageHeader:]
		sum := fnv.New64a()
		sum.Write(m[:metaSize-8])
		if native.Uint32(m) != metaMagic || native.Uint32(m[4:]) != 2 || native.Uint64(m[56:]) != sum.Sum64() {
			continue // bbolt uses the other one; the watermark tells whether that is too old
		}
		if txid := native.Uint64(m[48:]); !found || txid > last {
			found, last, root, high = true, txid, native.Uint64(m[16:]), native.Uint64(m[40:])
		}
	}
	if !found {
		return 0, 0, fmt.Errorf("pages 0 and 1: %w", fleet.ErrCorrupt)
	}
	return root, high, nil
}

// readAt fills b with the beginning of a page.
func readAt(file io.ReaderAt, b []byte, page, pageSize uint64) error {
	switch n, err := file.ReadAt(b, int64(page*pageSize)); {
	case n == len(b):
		return nil
	case err == io.EOF:
		return fmt.Errorf("the file ends before page %d does: %w", page, fleet.ErrCorrupt)
	default:
		return fmt.Errorf("page %d: %w", page, err)
	}
}

// bucket reads the bucket of the store, whose value in the root bucket is v.
func (w *walker) bucket(v []byte, c *contents) error {
	var sum uint64
	logs := map[string]int{} // of the session whose record comes next
	w.last = nil
	found := false
	w.leaf = func(flags uint32, k, v []byte) (err error) {
		if flags != 0 || len(k) == 0 {
			return fmt.Errorf("%q is not a key of a store: %w", k, fleet.ErrCorrupt)
		}
		var crc uint32
		switch key, _, _, isLog := splitLogKey(k); {
		case isLog:
			var data []byte
			if data, crc, err = unseal(k, v); err == nil {
				var n int
				n, err = eachEntry(k, data, func(uint64, []byte) {})
				logs[key] += n
			}
		case isRecordKey(k):
			var rec fleet.Record
			var l tail
			if rec, l, crc, err = readRecord(k, v); err != nil {
				return err
			}
			var n int
			n, err = eachEntry(k, l.entries, func(uint64, []byte) {})
			n += logs[rec.Key]
			delete(logs, rec.Key)
			if l.shown < 0 {
				l.shown = n
			}
			if l.shown > n {
				return fmt.Errorf("log of %q: there are %d entries, want %d: %w", rec.Key, n, l.shown, fleet.ErrCorrupt)
			}
			c.logs += l.shown
			c.index.Put(rec.Key, index.Entry{
				Revision: rec.Revision, Accepted: rec.Accepted, Wake: index.Nanos(rec.Wake), Pending: rec.Pending, Logs: n, Sum: crc,
			})
			if rec.Pending {
				c.pending++
			}
		case k[0] == 'f':
			_, crc, err = unseal(k, v)
			c.files[string(k[1:])] = crc
		case bytes.Equal(k, stateKey):
			c.state, err = readState(v)
			found = true
			return err
		default:
			return fmt.Errorf("%q is not a key of a store: %w", k, fleet.ErrCorrupt)
		}
		sum += part(crc)
		return err
	}
	var err error
	if root := native.Uint64(v); root != 0 {
		err = w.page(root, 0, nil, nil)
	} else { // a small bucket is a part of its value
		err = w.elements(0, 0, v[16:], nil, nil)
	}
	switch {
	case err != nil:
		return err
	case !found:
		return fmt.Errorf("the state of the store is missing: %w", fleet.ErrCorrupt)
	case sum != c.state.sum:
		return fmt.Errorf("the sum of all checksums is %#x, want %#x: something is missing or too old: %w", sum, c.state.sum, fleet.ErrCorrupt)
	}
	for key := range logs {
		return fmt.Errorf("the log of %q has no record: %w", key, fleet.ErrCorrupt)
	}
	return nil
}

// page reads a page and those below it, of which the root has depth 0. Its keys are not below low and, if
// high is not nil, below high.
func (w *walker) page(id uint64, depth int, low, high []byte) error {
	if id < 2 || id >= w.high {
		return fmt.Errorf("page %d is not in use: %w", id, fleet.ErrCorrupt)
	}
	if depth == len(w.buffers) {
		w.buffers = append(w.buffers, make([]byte, w.pageSize))
	}
	b := w.buffers[depth][:w.pageSize]
	if err := readAt(w.file, b, id, w.pageSize); err != nil {
		return err
	}
	size := 1 + uint64(native.Uint32(b[12:]))
	if native.Uint64(b) != id || id+size > w.high {
		return fmt.Errorf("page %d has a header that is not its own: %w", id, fleet.ErrCorrupt)
	}
	for n := id; n < id+size; n++ {
		if w.seen[n] {
			return fmt.Errorf("page %d is used twice: %w", n, fleet.ErrCorrupt)
		}
		w.seen[n] = true
	}
	if size > 1 {
		b = slices.Grow(b, int((size-1)*w.pageSize))[:size*w.pageSize]
		w.buffers[depth] = b
		if err := readAt(w.file, b[w.pageSize:], id+1, w.pageSize); err != nil {
			return err
		}
	}
	return w.elements(id, depth, b, low, high)
}

// elements reads what is in a page.
func (w *walker) elements(id uint64, depth int, b, low, high []byte) error {
	bad := func(i int, what string) error {
		return fmt.Errorf("page %d: element %d %s: %w", id, i, what, fleet.ErrCorrupt)
	}
	if len(b) < pageHeader {
		return bad(0, "is missing")
	}
	flags, count := native.Uint16(b[8:]), int(native.Uint16(b[10:]))
	if flags != branchPage && flags != leafPage || flags == branchPage && count == 0 || pageHeader+count*element > len(b) {
		return fmt.Errorf("page %d is neither a branch nor a leaf: %w", id, fleet.ErrCorrupt)
	}
	// cut returns a part of the page, at an offset from the header of an element.
	cut := func(i int, pos, size uint64) []byte {
		if start := pageHeader + uint64(i*element) + pos; start <= uint64(len(b)) && size <= uint64(len(b))-start {
			return b[start : start+size]
		}
		return nil
	}
	key := func(i int) []byte {
		e := b[pageHeader+i*element:]
		if flags == branchPage {
			return cut(i, uint64(native.Uint32(e)), uint64(native.Uint32(e[4:])))
		}
		return cut(i, uint64(native.Uint32(e[4:])), uint64(native.Uint32(e[8:])))
	}
	for i := range count {
		e := b[pageHeader+i*element:]
		k := key(i)
		switch {
		case k == nil:
			return bad(i, "is outside the page")
		case bytes.Compare(k, low) < 0 || high != nil && bytes.Compare(k, high) >= 0:
			return bad(i, "has a key of another page")
		case flags == branchPage:
			next := high
			if i+1 < count {
				if next = key(i + 1); bytes.Compare(k, next) >= 0 {
					return bad(i+1, "is out of order")
				}
			}
			if err := w.page(native.Uint64(e[8:]), depth+1, k, next); err != nil {
				return err
			}
			continue
		case w.last != nil && bytes.Compare(w.last, k) >= 0:
			return bad(i, "is out of order")
		}
		v := cut(i, uint64(native.Uint32(e[4:]))+uint64(len(k)), uint64(native.Uint32(e[12:])))
		if v == nil {
			return bad(i, "is outside the page")
		}
		w.last = append(w.last[:0], k...)
		if err := w.leaf(native.Uint32(e), k, v); err != nil {
			return fmt.Errorf("page %d: %w", id, err)
		}
	}
	return nil
}
