package store

import (
	"context"
	"errors"

	"github.com/scxmlrun/scxmlrun/scxml/fleet"
)

// A Report says what a store has.
type Report struct {
	Sessions   int    `json:"sessions"`
	Pending    int    `json:"pending"`    // sessions that have something to do
	Accepted   uint64 `json:"accepted"`   // events, of these sessions
	LogEntries int    `json:"logEntries"` // of all sessions
	Files      int    `json:"files"`
	Bytes      int64  `json:"bytes"` // of all this
}

func (r *Report) add(rec *fleet.Record, log []fleet.LogEntry) {
	r.Sessions++
	if rec.Pending {
		r.Pending++
	}
	r.Accepted += rec.Accepted
	r.LogEntries += len(log)
	r.Bytes += int64(len(rec.Body))
	for _, e := range log {
		r.Bytes += int64(len(e.Body))
	}
}

func (r *Report) addFile(data []byte) {
	r.Files++
	r.Bytes += int64(len(data))
}

// Read reads all that a store on a server has, and checks the sums of each record, log entry and file.
// Others may use the store meanwhile.
func Read(ctx context.Context, s fleet.Store) (r Report, err error) {
	err = each(ctx, s, "", func(key string) error {
		rec, log, err := session(ctx, s, key)
		if errors.Is(err, fleet.ErrNotFound) { // deleted since it was listed
			return nil
		}
		if err == nil {
			r.add(rec, log)
		}
		return err
	})
	if err != nil {
		return r, err
	}
	names, err := s.Files(ctx, "")
	for _, name := range names {
		data, err := s.File(ctx, name)
		if errors.Is(err, fleet.ErrNotFound) {
			continue
		}
		if err != nil {
			return r, err
		}
		r.addFile(data)
	}
	return r, err
}

// each calls do for the keys of a store that come after one, in their order.
func each(ctx context.Context, s fleet.Store, after string, do func(key string) error) error {
	const many = 1000
	for {
		list, err := s.List(ctx, after, many)
		if err != nil {
			return err
		}
		for _, rec := range list {
			if err := do(rec.Key); err != nil {
				return err
			}
			after = rec.Key
		}
		if len(list) < many {
			return nil
		}
	}
}

// session returns all that a store has of a session.
func session(ctx context.Context, s fleet.Store, key string) (*fleet.Record, []fleet.LogEntry, error) {
	rec, err := s.Load(ctx, key)
	if err != nil {
		return nil, nil, err
	}
	log, err := s.Log(ctx, key, 0, 0)
	return rec, log, err
}
