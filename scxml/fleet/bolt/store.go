package bolt

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/bits"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/internal/fault"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/internal/index"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/internal/watermark"
)

// The files of a store in its folder.
const (
	DatabaseName  = "sessions.db"
	watermarkName = "sessions.watermark"
)

type lists = index.Lists

// A Store is a [fleet.Store] in a folder. Use Open to get one.
type Store struct {
	lists // Due, Pending and Len
	path  string
	db    *bbolt.DB
	mark  *watermark.File

	queue struct { // of Commits that wait for the writer
		sync.Mutex
		groups   []*group
		expected int // how many callers there were when the last transaction ended
	}

	writer chan struct{} // has a value while somebody writes; guards the fields below
	state  state
	failed error // after which the index may be wrong

	unsynced atomic.Bool // the last commit can be read, but may not be on the disk

	mu     sync.Mutex
	closed bool
	// What the store remembers: as it was after the last transaction. The writer changes it.
	index index.Index
	files map[string]uint32 // the checksums
}

// Open opens the store in a folder, and creates it unless there is one. It reads all that is stored. The
// error is [fleet.ErrCorrupt] if something is damaged, [fleet.ErrLost] if acknowledged commits are
// missing, and [fleet.ErrUnavailable] if another process uses the store.
func Open(dir string) (*Store, error) {
	s, err := open(dir)
	if err != nil {
		return nil, fmt.Errorf("cannot open store %q: %w", dir, err)
	}
	return s, nil
}

func open(dir string) (*Store, error) {
	if err := makeDir(dir); err != nil {
		return nil, err
	}
	path, markPath := filepath.Join(dir, DatabaseName), filepath.Join(dir, watermarkName)
	mark, err := readWatermark(markPath)
	if err != nil {
		return nil, err
	}
	reader, c, err := read(path)
	if err == nil {
		err = mark.compare(markPath, c.state)
	}
	if err == nil && reader == nil {
		if err = create(path); err == nil {
			reader, c, err = read(path)
		}
	}
	if reader != nil {
		reader.Close()
	}
	if err != nil {
		return nil, err
	}
	db, err := openDB(path, false)
	if err != nil {
		return nil, err
	}
	clean(path)
	s := &Store{path: path, db: db, writer: make(chan struct{}, 1), state: c.state, index: c.index, files: c.files}
	s.lists = index.NewLists(s.withIndex)
	now, err := stored(db)
	if err == nil && now != c.state {
		err = fmt.Errorf("%w: another process has used it in between", fleet.ErrUnavailable)
	}
	if err == nil {
		s.mark, err = watermarks.Create(markPath, s.state.numbers())
	}
	if err == nil {
		err = syncDir(dir)
	}
	if err != nil {
		db.Close()
		return nil, err
	}
	return s, nil
}

// openDB opens a database with bbolt, which locks it.
func openDB(path string, readOnly bool) (db *bbolt.DB, err error) {
	defer protect(&err)()
	// bbolt would write its list of free pages with each commit, and trust it when it opens the file.
	// It can also collect it, for which it reads all pages. They were just read.
	options := &bbolt.Options{Timeout: time.Second, ReadOnly: readOnly, NoFreelistSync: true, FreelistType: bbolt.FreelistMapType, NoStatistics: true}
	if runtime.GOOS != "windows" && strconv.IntSize == 64 {
		// A transaction that needs a larger map waits for all readers, such as Backup. Where a map
		// does not need memory or disk, it is large from the beginning.
		options.InitialMmapSize = 1 << 30
	}
	var file *os.File
	options.OpenFile = func(name string, flag int, mode fs.FileMode) (_ *os.File, err error) {
		file, err = os.OpenFile(name, flag, mode)
		return file, err
	}
	db, err = bbolt.Open(path, 0o600, options)
	if err == nil && !stillAt(file, path) { // Compact has replaced it while this process waited for the lock
		db.Close()
		err = bolterrors.ErrTimeout
	}
	var pathErr *fs.PathError
	var errno syscall.Errno
	switch {
	case errors.Is(err, bolterrors.ErrTimeout):
		return nil, fmt.Errorf("%w: another process uses it", fleet.ErrUnavailable)
	case errors.Is(err, bolterrors.ErrInvalid) && isForeign(path):
		return nil, fmt.Errorf("%s was made on a processor with another order of bytes, and can be read on such a one only", filepath.Base(path))
	case err != nil && !errors.As(err, &pathErr) && !errors.As(err, &errno): // not from the system, but from what it read
		return nil, fmt.Errorf("%s: %w: %w", filepath.Base(path), err, fleet.ErrCorrupt)
	}
	return db, err
}

// isForeign reports whether a file is a database of bbolt with another order of bytes than this processor's.
func isForeign(path string) bool {
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	var magic [4]byte
	_, err = file.ReadAt(magic[:], pageHeader)
	return err == nil && bits.ReverseBytes32(native.Uint32(magic[:])) == metaMagic
}

// stillAt reports whether a file is the one with a name.
func stillAt(file *os.File, name string) bool {
	is, err := file.Stat()
	found, missing := os.Stat(name)
	return err == nil && missing == nil && os.SameFile(is, found)
}

// read verifies a database, and returns it open for reading, which keeps other processes from writing. It
// is nil if there is none, and the contents are empty.
func read(path string) (db *bbolt.DB, c *contents, err error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, &contents{}, nil
	}
	if db, err = openDB(path, true); err != nil {
		return nil, nil, err
	}
	file, err := os.Open(path)
	if err == nil {
		defer file.Close()
		c, err = verify(file, db.Info().PageSize)
	}
	if err != nil {
		db.Close()
		return nil, nil, fmt.Errorf("%s: %w", filepath.Base(path), err)
	}
	return db, c, nil
}

// create makes an empty database. It appears under its name when it is whole.
func create(path string) error {
	temp := path + newSuffix
	if err := os.Remove(temp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	db, err := openDB(temp, false)
	if err != nil {
		return err
	}
	err = db.Update(func(tx *bbolt.Tx) error {
		b, err := tx.CreateBucket(bucketName)
		if err != nil {
			return err
		}
		return b.Put(stateKey, state{id: rand.Uint64() | 1}.value())
	})
	if err = errors.Join(err, db.Close()); err != nil {
		return err
	}
	return os.Rename(temp, path)
}

// makeDir makes a folder, and those above it, durably.
func makeDir(dir string) error {
	err := os.Mkdir(dir, 0o700)
	switch parent := filepath.Dir(dir); {
	case err == nil:
		return syncDir(parent)
	case errors.Is(err, fs.ErrExist):
		if info, err := os.Stat(dir); err == nil && !info.IsDir() {
			return &fs.PathError{Op: "mkdir", Path: dir, Err: errors.New("not a directory")}
		}
		return nil
	case errors.Is(err, fs.ErrNotExist) && parent != dir:
		if err := makeDir(parent); err != nil {
			return err
		}
		return makeDir(dir)
	}
	return err
}

// syncDir makes names of files in a folder durable.
func syncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil // which has no such call
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// protect turns a panic of bbolt into an error, which it means when it meets a damaged page. Reading past the
// end of a file that is mapped is a fault, which panics too. Use: defer protect(&err)().
func protect(err *error) func() {
	old := debug.SetPanicOnFault(true)
	return func() {
		debug.SetPanicOnFault(old)
		p := recover()
		if p == nil {
			return
		}
		if !fault.IsMemory(p) && !strings.HasPrefix(fault.Thrower(), "go.etcd.io/bbolt") {
			panic(p)
		}
		*err = fmt.Errorf("%v: %w", p, fleet.ErrCorrupt)
	}
}

// view calls f in a read transaction.
func (s *Store) view(ctx context.Context, f func(*bbolt.Bucket) error) (err error) {
	if err := ctx.Err(); err != nil {
		return err
	}
	return view(s.db, func(tx *bbolt.Tx) error { return f(tx.Bucket(bucketName)) })
}

func view(db *bbolt.DB, f func(*bbolt.Tx) error) (err error) {
	defer protect(&err)()
	err = db.View(f)
	if errors.Is(err, bolterrors.ErrDatabaseNotOpen) {
		return fleet.ErrClosed
	}
	return err
}

// stored returns the state that is in a database.
func stored(db *bbolt.DB) (st state, err error) {
	err = view(db, func(tx *bbolt.Tx) error {
		st, err = readState(tx.Bucket(bucketName).Get(stateKey))
		return err
	})
	return st, err
}

// A damaged page can hide an item from bbolt. So what it does not find is looked up in memory too.

// errMissing says that the database does not have what the store remembers.
var errMissing = errors.New("it is missing or too old")

// viewAll calls f in a read transaction and, if it misses something, which a commit may have deleted just
// now, calls it again while no commit is under way. What f has read is on the disk.
func (s *Store) viewAll(ctx context.Context, f func(*bbolt.Bucket) error) error {
	err := s.view(ctx, f)
	if s.unsynced.Load() {
		if err := s.confirm(); err != nil {
			return err
		}
	}
	if errors.Is(err, errMissing) {
		s.writer <- struct{}{}
		defer func() { <-s.writer }()
		if err = s.view(ctx, f); errors.Is(err, errMissing) {
			err = fmt.Errorf("%w: %w", err, fleet.ErrCorrupt)
		}
	}
	return err
}

// confirm writes and syncs again after a commit whose last sync has failed. The system may have forgotten
// by then that there was something to sync, so that a sync alone would not help.
func (s *Store) confirm() error {
	s.writer <- struct{}{}
	defer func() { <-s.writer }()
	return s.update(func(*txn) error { return nil })
}

// entry returns the entry of a key in the index.
func (s *Store) entry(key string) index.Entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	e, _ := s.index.Get(key)
	return e
}

// get returns the record of a key, and its tail. Its Body is only valid in the transaction.
func (s *Store) get(b *bbolt.Bucket, key string, known index.Entry) (*fleet.Record, *tail, error) {
	if strings.IndexByte(key, 0) >= 0 { // or a part of a log would pass for a record
		return nil, nil, fleet.ErrNotFound
	}
	k := recordKey(key)
	v := b.Get(k)
	switch {
	case v == nil && known.Revision != 0:
		return nil, nil, fmt.Errorf("%s: %w", describe(k), errMissing)
	case v == nil:
		return nil, nil, fleet.ErrNotFound
	}
	rec, l, _, err := readRecord(k, v)
	if err == nil && rec.Revision < known.Revision {
		err = fmt.Errorf("%s: %w", describe(k), errMissing)
	}
	return &rec, &l, err
}

// Load implements [fleet.Store].
func (s *Store) Load(ctx context.Context, key string) (rec *fleet.Record, err error) {
	err = s.viewAll(ctx, func(b *bbolt.Bucket) error {
		if rec, _, err = s.get(b, key, s.entry(key)); err == nil {
			rec.Body = bytes.Clone(rec.Body)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return rec, nil
}

// withIndex calls f while the index does not change.
func (s *Store) withIndex(ctx context.Context, f func(*index.Index)) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return fleet.ErrClosed
	}
	f(&s.index)
	return nil
}

// List implements [fleet.Store].
func (s *Store) List(ctx context.Context, after string, n int) (list []*fleet.Record, err error) {
	err = s.viewAll(ctx, func(b *bbolt.Bucket) error {
		list = nil
		var keys []string
		if err := s.withIndex(ctx, func(x *index.Index) { keys = x.Keys(after, n) }); err != nil {
			return err
		}
		for _, key := range keys {
			rec, _, err := s.get(b, key, s.entry(key))
			if errors.Is(err, fleet.ErrNotFound) { // created after the transaction began, and deleted since
				continue
			}
			if err != nil {
				return err
			}
			rec.Body = nil
			list = append(list, rec)
		}
		return nil
	})
	return list, err
}

// Log implements [fleet.Store].
func (s *Store) Log(ctx context.Context, key string, after uint64, n int) (entries []fleet.LogEntry, err error) {
	err = s.viewAll(ctx, func(b *bbolt.Bucket) error {
		var all []fleet.LogEntry
		known := s.entry(key)
		rec, l, err := s.get(b, key, known)
		if err != nil {
			return err
		}
		count, err := logOf(b, key, l, func(revision uint64, body []byte) { all = append(all, fleet.LogEntry{Revision: revision, Body: body}) })
		switch {
		case err != nil:
			return err
		case rec.Revision == known.Revision && count != known.Logs:
			return fmt.Errorf("log of %q: %w", key, errMissing)
		case l.shown >= 0:
			all = all[max(0, count-l.shown):]
		}
		entries = nil
		for _, e := range all {
			if e.Revision > after && (n <= 0 || len(entries) < n) {
				entries = append(entries, fleet.LogEntry{Revision: e.Revision, Body: bytes.Clone(e.Body)})
			}
		}
		return nil
	})
	return entries, err
}

// File implements [fleet.Store].
func (s *Store) File(ctx context.Context, name string) (data []byte, err error) {
	err = s.viewAll(ctx, func(b *bbolt.Bucket) error {
		s.mu.Lock()
		sum, exists := s.files[name]
		s.mu.Unlock()
		k := fileKey(name)
		v := b.Get(k)
		if v == nil && !exists {
			return fleet.ErrNotFound
		}
		if v == nil {
			return fmt.Errorf("%s: %w", describe(k), errMissing)
		}
		content, actual, err := unseal(k, v)
		if err == nil && actual != sum {
			err = fmt.Errorf("%s: %w", describe(k), errMissing)
		}
		data = bytes.Clone(content)
		return err
	})
	return data, err
}

// Files implements [fleet.Store].
func (s *Store) Files(ctx context.Context, prefix string) (names []string, err error) {
	err = s.withIndex(ctx, func(*index.Index) { names = index.WithPrefix(maps.Keys(s.files), prefix) })
	return names, err
}

// Close waits for the commit that is under way, and closes the store.
func (s *Store) Close() error {
	s.writer <- struct{}{}
	defer func() { <-s.writer }()
	s.mu.Lock()
	closed := s.closed
	s.closed = true
	s.mu.Unlock()
	if closed {
		return fleet.ErrClosed
	}
	return errors.Join(s.db.Close(), s.mark.Close())
}
