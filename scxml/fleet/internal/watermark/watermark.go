// Package watermark keeps in a local file what a process knows of a store on a server: how far it was
// when the server acknowledged the last commit. A server whose store is behind that has lost commits,
// because a backup was restored or because a replica took over that did not have them.
package watermark

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"sync"
	"time"
)

// A Mark is the state of a store as a host knows it.
type Mark struct {
	Store    uint64 // which store it is
	Host     uint64 // in that store; 0 means that there is no mark
	Commits  uint64 // by this host
	Accepted uint64 // events, in these commits
}

// ErrDamaged says that a file has no mark.
var ErrDamaged = errors.New("it is damaged")

// Lost returns an error if a store that has a mark is behind m.
func (m Mark) Lost(has Mark, path string) error {
	if has.Commits >= m.Commits {
		return nil
	}
	return fmt.Errorf("store lost %d acknowledged events: it has %d commits of this host, which has made %d; restore the newest backup, or delete the file %q to continue without what is missing",
		m.Accepted-min(m.Accepted, has.Accepted), has.Commits, m.Commits, path)
}

const (
	slotSize = 512
	magic    = "scxmlsm\x01"
	size     = len(magic) + 4*8 + 4
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func (m *Mark) fields() []*uint64 { return []*uint64{&m.Store, &m.Host, &m.Commits, &m.Accepted} }

func (m Mark) slot() []byte {
	b := []byte(magic)
	for _, n := range m.fields() {
		b = binary.BigEndian.AppendUint64(b, *n)
	}
	return binary.BigEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
}

// Read returns the mark in a file. It is zero if there is no file.
func Read(path string) (Mark, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Mark{}, nil
	}
	if err != nil {
		return Mark{}, err
	}
	var newest Mark
	for at := 0; at+size <= len(data); at += slotSize {
		body, sum := data[at:at+size-4], data[at+size-4:at+size]
		if string(body[:len(magic)]) != magic || crc32.Checksum(body, castagnoli) != binary.BigEndian.Uint32(sum) {
			continue // torn; the other one was written before
		}
		var m Mark
		for i, n := range m.fields() {
			*n = binary.BigEndian.Uint64(body[len(magic)+8*i:])
		}
		if m.Commits >= newest.Commits {
			newest = m
		}
	}
	if newest.Host == 0 {
		return Mark{}, fmt.Errorf("watermark %q: %w; if the store is right, delete the file", path, ErrDamaged)
	}
	return newest, nil
}

// A File is a watermark that is kept up to date. A nil File keeps none.
type File struct {
	mu    sync.Mutex
	file  *os.File
	slot  int64
	timer *time.Timer // syncs; nil if everything is synced
	err   error       // of the last sync by the timer
}

// Create makes the file, or replaces what is in it.
func Create(path string, m Mark) (*File, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	f := &File{file: file}
	if err := errors.Join(f.put(m), f.put(m), file.Sync()); err != nil { // both slots: nothing older is valid
		file.Close()
		return nil, err
	}
	return f, nil
}

// put writes into the slot that has the older mark, so that one survives a torn write.
func (f *File) put(m Mark) error {
	_, err := f.file.WriteAt(m.slot(), f.slot)
	f.slot = slotSize - f.slot
	return err
}

// Write notes a commit, which the server has acknowledged, before the caller does. The mark survives
// the end of the process; it is synced once a second.
func (f *File) Write(m Mark) error {
	if f == nil {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.timer == nil {
		f.timer = time.AfterFunc(time.Second, f.sync)
	}
	if err := errors.Join(f.put(m), f.err); err != nil {
		return fmt.Errorf("cannot write the watermark: %w", err)
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
	return errors.Join(f.file.Sync(), f.file.Close())
}
