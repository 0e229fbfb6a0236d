package bolt

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"sync"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml/fleet"
)

// A watermark is a second place, besides the database, that knows the state of the store after the last
// acknowledged commit. A database that is behind it has lost commits, which a database cannot tell from
// itself: bbolt, for one, continues with the commit before when the page with the last one is damaged.
//
// It is written after each commit and before that is acknowledged, and so survives the end of the
// process, but synced once a second only: a power cut can leave it behind the database, which is
// harmless, and never before it. Two slots take turns, so that one survives when a write is torn.
//
// The file is mapped into memory where that is possible: a file system may let a write to a file wait
// for the sync of another, which the database has all the time.
type watermark struct {
	mu    sync.Mutex
	file  *os.File
	data  []byte // the file in memory; nil if it is not mapped
	slot  int
	timer *time.Timer // syncs; nil if everything is synced
	err   error       // of the timer's last sync
}

const (
	slotSize  = 512
	markMagic = "scxmlwm\x01"
	markSize  = len(markMagic) + 32 + 4
)

// markValue returns a slot.
func markValue(s state) []byte {
	b := s.append([]byte(markMagic))
	return binary.BigEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
}

// readWatermark returns the state that a watermark has, or nil if there is none.
func readWatermark(path string) (*state, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var newest *state
	for slot := 0; slot+markSize <= len(data); slot += slotSize {
		body, sum := data[slot:slot+markSize-4], data[slot+markSize-4:]
		if string(body[:len(markMagic)]) != markMagic || crc32.Checksum(body, castagnoli) != binary.BigEndian.Uint32(sum) {
			continue
		}
		var mark state
		if mark.read(body[len(markMagic):]); newest == nil || mark.revision >= newest.revision {
			newest = &mark
		}
	}
	if newest == nil {
		return nil, fmt.Errorf("watermark %q: %w; if the database is right, delete the watermark", path, fleet.ErrCorrupt)
	}
	return newest, nil
}

// createWatermark makes a new watermark file for a state.
func createWatermark(path string, s state) (*watermark, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	w := &watermark{file: file}
	// Both slots: from now on nothing older is valid.
	if err = errors.Join(w.put(s), w.put(s), file.Sync()); err == nil {
		w.data, err = mapFile(file, slotSize+markSize)
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return w, nil
}

func (w *watermark) put(s state) (err error) {
	b := markValue(s)
	if w.data != nil {
		defer protect(&err)() // a disk that fails, or a file that somebody cut off, is a fault
		copy(w.data[w.slot:], b)
	} else {
		_, err = w.file.WriteAt(b, int64(w.slot))
	}
	w.slot = slotSize - w.slot
	return err
}

// write notes the state after a commit.
func (w *watermark) write(s state) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.timer == nil {
		w.timer = time.AfterFunc(time.Second, w.sync)
	}
	if err := errors.Join(w.put(s), w.err); err != nil {
		return fmt.Errorf("cannot write watermark: %w", err)
	}
	return nil
}

func (w *watermark) sync() {
	w.mu.Lock()
	w.timer = nil
	file := w.file
	w.mu.Unlock()
	err := file.Sync()
	w.mu.Lock()
	defer w.mu.Unlock()
	if !errors.Is(err, fs.ErrClosed) {
		w.err = err
	}
}

func (w *watermark) close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.timer != nil {
		w.timer.Stop()
	}
	return errors.Join(unmap(w.data), w.file.Sync(), w.file.Close())
}

// A lostError tells how much of what the watermark knows is missing in the database.
type lostError struct {
	path         string
	mark, actual state
}

func (e *lostError) Error() string {
	return fmt.Sprintf("store lost %d acknowledged events: the database is at revision %d, its watermark at %d; "+
		"restore a backup of the database, or delete the file %q to continue without what is lost",
		e.mark.accepted-min(e.mark.accepted, e.actual.accepted), e.actual.revision, e.mark.revision, e.path)
}

func (e *lostError) Is(target error) bool { return target == fleet.ErrLost }

// compare returns an error unless a database with a state can be the one that has this watermark.
func (mark *state) compare(path string, actual state) error {
	switch {
	case mark == nil:
		return nil
	case mark.revision > actual.revision:
		return &lostError{path, *mark, actual}
	case actual.id != 0 && mark.id != actual.id:
		return fmt.Errorf("the watermark %q belongs to another store; if the database is the right one, delete the watermark", path)
	case actual.id != 0 && mark.revision == actual.revision && *mark != actual:
		return fmt.Errorf("the database differs from its watermark %q: %w", path, fleet.ErrCorrupt)
	}
	return nil
}
