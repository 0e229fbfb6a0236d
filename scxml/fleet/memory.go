package fleet

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/scxmlrun/scxmlrun/scxml/fleet/internal/index"
)

// A Memory is a store that forgets everything when the process ends: for tests, and for sessions that
// need not survive.
type Memory struct {
	lists    // Due, Pending and Len
	mu       sync.Mutex
	closed   bool
	revision uint64 // the last one given
	index    index.Index
	records  map[string]*Record
	logs     map[string][]LogEntry
	files    map[string][]byte
	watchers []*func(key string)
}

type lists = index.Lists

var _ Watcher = (*Memory)(nil)

// NewMemory returns an empty store.
func NewMemory() *Memory {
	m := &Memory{records: map[string]*Record{}, logs: map[string][]LogEntry{}, files: map[string][]byte{}}
	m.lists = index.NewLists(func(ctx context.Context, f func(*index.Index)) error {
		err := m.open(ctx)
		if err == nil {
			defer m.mu.Unlock()
			f(&m.index)
		}
		return err
	})
	return m
}

// open locks the store for a call. If it returns nil, the caller unlocks mu.
func (m *Memory) open(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m.mu.Lock()
	if m.closed {
		m.mu.Unlock()
		return ErrClosed
	}
	return nil
}

// Load implements [Store].
func (m *Memory) Load(ctx context.Context, key string) (*Record, error) {
	if err := m.open(ctx); err != nil {
		return nil, err
	}
	defer m.mu.Unlock()
	rec := m.records[key]
	if rec == nil {
		return nil, ErrNotFound
	}
	loaded := *rec
	loaded.Body = slices.Clone(rec.Body)
	return &loaded, nil
}

// Commit implements [Store].
func (m *Memory) Commit(ctx context.Context, changes []Change) []error {
	if err := m.open(ctx); err != nil {
		return slices.Repeat([]error{err}, len(changes))
	}
	defer m.mu.Unlock()
	errs := make([]error, len(changes))
	for i, c := range changes {
		errs[i] = m.commit(c)
	}
	return errs
}

func (m *Memory) commit(c Change) error {
	entry, _ := m.index.Get(c.Key)
	if err := c.Check(entry.Revision, entry.Accepted); err != nil {
		return err
	}
	if c.New == nil {
		m.tell(c.Key)
		m.index.Delete(c.Key)
		delete(m.records, c.Key)
		delete(m.logs, c.Key)
		return nil
	}
	m.revision++
	c.New.Revision = m.revision
	wake := index.Nanos(c.New.Wake)
	rec := *c.New
	rec.Wake = index.Time(wake)
	rec.Body = slices.Clone(rec.Body)
	m.records[c.Key] = &rec
	m.index.Put(c.Key, index.Entry{Revision: rec.Revision, Accepted: rec.Accepted, Wake: wake, Pending: rec.Pending})
	if rec.Pending || wake != index.Never && (entry.Revision == 0 || entry.Wake == index.Never || wake < entry.Wake) {
		m.tell(c.Key)
	}
	if c.Log != nil {
		log := append(m.logs[c.Key], LogEntry{rec.Revision, slices.Clone(c.Log)})
		if c.KeepLog > 0 && len(log) > c.KeepLog {
			log = log[len(log)-c.KeepLog:]
		}
		m.logs[c.Key] = log
	}
	return nil
}

func (m *Memory) tell(key string) {
	for _, changed := range m.watchers {
		(*changed)(key)
	}
}

// Watch implements [Watcher]. It reports all changes: the store does not know who makes them.
func (m *Memory) Watch(ctx context.Context, changed func(key string)) error {
	if err := m.open(ctx); err != nil {
		return err
	}
	m.watchers = append(m.watchers, &changed)
	m.mu.Unlock()
	<-ctx.Done()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.watchers = slices.DeleteFunc(m.watchers, func(w *func(string)) bool { return w == &changed })
	return context.Cause(ctx)
}

// List implements [Store].
func (m *Memory) List(ctx context.Context, after string, n int) ([]*Record, error) {
	if err := m.open(ctx); err != nil {
		return nil, err
	}
	defer m.mu.Unlock()
	var list []*Record
	for _, key := range m.index.Keys(after, n) {
		rec := *m.records[key]
		rec.Body = nil
		list = append(list, &rec)
	}
	return list, nil
}

// Log implements [Store].
func (m *Memory) Log(ctx context.Context, key string, after uint64, n int) ([]LogEntry, error) {
	if err := m.open(ctx); err != nil {
		return nil, err
	}
	defer m.mu.Unlock()
	if m.records[key] == nil {
		return nil, ErrNotFound
	}
	var entries []LogEntry
	for _, e := range m.logs[key] {
		if e.Revision > after && (n <= 0 || len(entries) < n) {
			entries = append(entries, LogEntry{e.Revision, slices.Clone(e.Body)})
		}
	}
	return entries, nil
}

// PutFile implements [Store].
func (m *Memory) PutFile(ctx context.Context, name string, data []byte) error {
	if err := m.open(ctx); err != nil {
		return err
	}
	defer m.mu.Unlock()
	if data == nil {
		delete(m.files, name)
	} else {
		m.files[name] = slices.Clone(data)
	}
	return nil
}

// File implements [Store].
func (m *Memory) File(ctx context.Context, name string) ([]byte, error) {
	if err := m.open(ctx); err != nil {
		return nil, err
	}
	defer m.mu.Unlock()
	data, ok := m.files[name]
	if !ok {
		return nil, ErrNotFound
	}
	return slices.Clone(data), nil
}

// Files implements [Store].
func (m *Memory) Files(ctx context.Context, prefix string) ([]string, error) {
	if err := m.open(ctx); err != nil {
		return nil, err
	}
	defer m.mu.Unlock()
	return index.WithPrefix(maps.Keys(m.files), prefix), nil
}

// Close implements [Store].
func (m *Memory) Close() error {
	if err := m.open(context.Background()); err != nil {
		return err
	}
	m.closed = true
	m.mu.Unlock()
	return nil
}
