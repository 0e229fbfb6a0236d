package watermark

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime/debug"
	"sync"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml/fleet/internal/codec"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/internal/fault"
)

// Numbers are what a watermark says of a store.
type Numbers [4]uint64

// A Kind of watermarks is told by the 8 bytes of its Magic. The number at Grows never falls.
type Kind struct {
	Magic string
	Grows int
}

const (
	slotSize = 512
	markSize = 8 + 4*8 + 4
)

func (k Kind) slot(n Numbers) []byte {
	b := []byte(k.Magic)
	for _, n := range n {
		b = binary.BigEndian.AppendUint64(b, n)
	}
	return binary.BigEndian.AppendUint32(b, codec.Checksum(b))
}

// Read returns the newest watermark in a file, and whether there is a file. The error for one that has no
// watermark wraps damaged.
func (k Kind) Read(path string, damaged error) (newest Numbers, exists bool, err error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Numbers{}, false, nil
	}
	if err != nil {
		return Numbers{}, false, err
	}
	for at := 0; at+markSize <= len(data); at += slotSize {
		var n Numbers
		for i := range n {
			n[i] = binary.BigEndian.Uint64(data[at+8+8*i:])
		}
		if string(data[at:at+markSize]) != string(k.slot(n)) {
			continue // torn; the other one was written before
		}
		if !exists || n[k.Grows] >= newest[k.Grows] {
			newest, exists = n, true
		}
	}
	if !exists {
		return Numbers{}, false, fmt.Errorf("watermark %q: %w; if the store is right, delete the watermark", path, damaged)
	}
	return newest, true, nil
}

// A File is a watermark that is kept up to date. A nil File keeps none.
//
// It is written after each commit and before that is acknowledged, and so survives the end of the
// process, but synced once a second only: a power cut can leave it behind the store, which is harmless,
// and never before it. Two slots take turns, so that one survives when a write is torn.
//
// The file is mapped into memory where that is possible: a file system may let a write to a file wait
// for the sync of another, such as a database.
type File struct {
	kind  Kind
	mu    sync.Mutex
	file  *os.File
	data  []byte      // the file in memory; nil if it is not mapped
	at    int         // of the slot with the older mark
	timer *time.Timer // syncs; nil if everything is synced
	err   error       // of the timer's last sync
}

// Create makes the file, or replaces what is in it.
func (k Kind) Create(path string, n Numbers) (*File, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	f := &File{kind: k, file: file}
	// Both slots: from now on nothing older is valid.
	if err = errors.Join(f.put(n), f.put(n), file.Sync()); err == nil {
		f.data, err = mapFile(file, slotSize+markSize)
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return f, nil
}

func (f *File) put(n Numbers) (err error) {
	if b := f.kind.slot(n); f.data == nil {
		_, err = f.file.WriteAt(b, int64(f.at))
	} else {
		// A disk that fails, or a file that somebody cut off, is a fault.
		defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
		defer func() {
			p := recover()
			if p == nil {
				return
			}
			if !fault.IsMemory(p) {
				panic(p)
			}
			err = fmt.Errorf("%v", p)
		}()
		copy(f.data[f.at:], b)
	}
	f.at = slotSize - f.at
	return err
}

// Write notes the state of the store after a commit.
func (f *File) Write(n Numbers) error {
	if f == nil {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.timer == nil {
		f.timer = time.AfterFunc(time.Second, f.sync)
	}
	if err := errors.Join(f.put(n), f.err); err != nil {
		return fmt.Errorf("cannot write watermark: %w", err)
	}
	return nil
}

func (f *File) sync() {
	f.mu.Lock()
	f.timer = nil
	f.mu.Unlock()
	err := f.file.Sync()
	f.mu.Lock()
	defer f.mu.Unlock()
	if !errors.Is(err, fs.ErrClosed) {
		f.err = err
	}
}

// Close syncs and closes the file.
func (f *File) Close() error {
	if f == nil {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.timer != nil {
		f.timer.Stop()
	}
	return errors.Join(unmap(f.data), f.file.Sync(), f.file.Close())
}
