package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml/fleet"
)

// copyFile is in a store that is the target of a copy until that is complete. It has the name of the
// source, and the last key that was copied together with all keys before it.
const copyFile = "copy"

// Errors of Copy.
var (
	errNotEmpty = errors.New("the target is not empty")
	errInUse    = errors.New("a server uses the source: stop it first")
	errDiffers  = errors.New("the copy differs from the source: the source has changed since the copy began; remove the target, and copy again")
)

// Copy copies a store into an empty one, or continues a copy that was interrupted. It reads both again
// to compare them, and returns what each has. Progress is called with what is done and the number of
// sessions copied or compared so far. Revisions are those that the target gives.
func Copy(ctx context.Context, from, to Place, progress func(doing string, sessions int)) (r Report, err error) {
	source, err := from.Open(ctx, Source)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, source.Close()) }() // which tells whether it was in use
	target, err := to.Open(ctx, Target)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, target.Close()) }()
	c := &copying{source: source, target: target, name: from.String(), progress: progress}
	if !schemes[from.Kind].alone && from.Kind != "bolt" {
		if c.hosts, err = readHosts(ctx, source); err != nil {
			return r, err
		}
		c.began = time.Now()
	}
	if err := c.copy(ctx); err != nil {
		return r, fmt.Errorf("cannot copy store %s: %w", from.quoted(), err)
	}
	return c.report, nil
}

type copying struct {
	source, target fleet.Store
	name           string
	progress       func(string, int)
	began          time.Time
	hosts          map[string]string // nil if nobody can use the source
	report         Report
}

func (c *copying) copy(ctx context.Context) error {
	after, err := c.begin(ctx)
	if err != nil {
		return err
	}
	n := 0
	var batch []*item
	err = each(ctx, c.source, after, func(key string) error {
		rec, log, err := session(ctx, c.source, key)
		if err != nil {
			return err
		}
		n++
		c.progress("copied", n)
		if batch = append(batch, &item{rec: rec, log: log}); len(batch) < 256 {
			return nil
		}
		err = c.write(ctx, batch)
		batch = nil
		return err
	})
	if err == nil && len(batch) > 0 {
		err = c.write(ctx, batch)
	}
	if err == nil {
		err = c.copyFiles(ctx)
	}
	if err == nil {
		err = c.compare(ctx)
	}
	if err == nil {
		err = c.unused(ctx)
	}
	if err != nil {
		return err
	}
	return c.target.PutFile(ctx, copyFile, nil)
}

// begin returns the last key that an interrupted copy has completed. It removes what comes after it.
func (c *copying) begin(ctx context.Context) (after string, err error) {
	note, err := c.target.File(ctx, copyFile)
	if errors.Is(err, fleet.ErrNotFound) {
		list, err := c.target.List(ctx, "", 1)
		if err != nil {
			return "", err
		}
		files, err := c.target.Files(ctx, "")
		if err != nil {
			return "", err
		}
		if len(list) > 0 || len(files) > 0 {
			return "", errNotEmpty
		}
		return "", c.note(ctx, "")
	}
	if err != nil {
		return "", err
	}
	source, after, _ := strings.Cut(string(note), "\n")
	if source != c.name {
		return "", fmt.Errorf("the target is an interrupted copy of another store, %s", source)
	}
	var left []fleet.Change
	list, err := c.target.List(ctx, after, 0)
	for _, rec := range list {
		left = append(left, fleet.Change{Key: rec.Key, Old: rec.Revision})
	}
	return after, errors.Join(append(c.target.Commit(ctx, left), err)...)
}

func (c *copying) note(ctx context.Context, after string) error {
	return c.target.PutFile(ctx, copyFile, []byte(c.name+"\n"+after))
}

// An item is a session on its way.
type item struct {
	rec      *fleet.Record
	log      []fleet.LogEntry
	revision uint64 // in the target
}

// write writes sessions, each of them once for each entry of its log, and notes that they are there.
func (c *copying) write(ctx context.Context, batch []*item) error {
	last := batch[len(batch)-1].rec.Key
	for round := 0; len(batch) > 0; round++ {
		changes := make([]fleet.Change, len(batch))
		for i, it := range batch {
			rec := *it.rec
			changes[i] = fleet.Change{Key: rec.Key, Old: it.revision, New: &rec}
			if round < len(it.log) {
				if changes[i].Log = it.log[round].Body; changes[i].Log == nil {
					changes[i].Log = []byte{}
				}
			}
			if round+1 < len(it.log) {
				rec.Body = nil // the last round has it
			}
		}
		if err := errors.Join(c.target.Commit(ctx, changes)...); err != nil {
			return err
		}
		for i, it := range batch {
			it.revision = changes[i].New.Revision
		}
		batch = slices.DeleteFunc(batch, func(it *item) bool { return round+1 >= len(it.log) })
	}
	return c.note(ctx, last)
}

// ours reports whether a file belongs to the sessions, and not to a server or to a copy.
func ours(name string) bool {
	return name != copyFile && name != "ready" && !strings.HasPrefix(name, hostFiles)
}

func (c *copying) copyFiles(ctx context.Context) error {
	names, err := c.source.Files(ctx, "")
	for _, name := range slices.DeleteFunc(names, func(name string) bool { return !ours(name) }) {
		data, err := c.source.File(ctx, name)
		if err == nil {
			err = c.target.PutFile(ctx, name, data)
		}
		if err != nil {
			return err
		}
	}
	return err
}

// compare reads both stores and compares all that they have.
func (c *copying) compare(ctx context.Context) error {
	err := each(ctx, c.source, "", func(key string) error {
		rec, log, err := session(ctx, c.source, key)
		if err != nil {
			return err
		}
		copied, copiedLog, err := session(ctx, c.target, key)
		if err != nil && !errors.Is(err, fleet.ErrNotFound) {
			return err
		}
		if err != nil || !same(rec, copied) || !slices.EqualFunc(log, copiedLog, func(a, b fleet.LogEntry) bool { return bytes.Equal(a.Body, b.Body) }) {
			return fmt.Errorf("session %q: %w", key, errDiffers)
		}
		c.report.add(rec, log)
		c.progress("compared", c.report.Sessions)
		return nil
	})
	if err != nil {
		return err
	}
	n := 0
	if err := each(ctx, c.target, "", func(string) error { n++; return nil }); err != nil {
		return err
	}
	if n != c.report.Sessions {
		return fmt.Errorf("it has %d sessions instead of %d: %w", n, c.report.Sessions, errDiffers)
	}
	names, err := c.source.Files(ctx, "")
	if err != nil {
		return err
	}
	for _, name := range slices.DeleteFunc(names, func(name string) bool { return !ours(name) }) {
		data, err := c.source.File(ctx, name)
		if err != nil {
			return err
		}
		if copied, err := c.target.File(ctx, name); err != nil || !bytes.Equal(data, copied) {
			return errors.Join(fmt.Errorf("file %q: %w", name, errDiffers), err)
		}
		c.report.addFile(data)
	}
	return nil
}

// same reports whether records are equal, but for their revisions.
func same(a, b *fleet.Record) bool {
	return a.Chart == b.Chart && a.Hash == b.Hash && a.Status == b.Status && a.Wake.Equal(b.Wake) && a.Pending == b.Pending &&
		a.Accepted == b.Accepted && bytes.Equal(a.Body, b.Body)
}

// hostFiles are the files that servers write every few seconds, as long as they use a store.
const hostFiles = "hosts/"

// sign is after how long a server has given a sign of life.
const sign = 6 * time.Second

func readHosts(ctx context.Context, s fleet.Store) (map[string]string, error) {
	names, err := s.Files(ctx, hostFiles)
	if err != nil {
		return nil, err
	}
	hosts := map[string]string{}
	for _, name := range names {
		data, err := s.File(ctx, name)
		if err != nil && !errors.Is(err, fleet.ErrNotFound) {
			return nil, err
		}
		hosts[name] = string(data)
	}
	return hosts, nil
}

// unused returns an error if a server has used the source during the copy.
func (c *copying) unused(ctx context.Context) error {
	if c.hosts == nil {
		return nil
	}
	select {
	case <-time.After(time.Until(c.began.Add(sign))):
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	hosts, err := readHosts(ctx, c.source)
	if err == nil && !maps.Equal(hosts, c.hosts) {
		err = errInUse
	}
	return err
}
