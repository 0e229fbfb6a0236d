package jetstream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml/fleet"
)

// A stream cannot tell that it was longer: it may have been restored from a backup, or truncated by a
// server that has found damage. So the last sequence of each shard that was acknowledged is noted in
// two other places, once a second: in the stream of the files, which tells that one stream was lost, and
// in a local file, which tells that all were.

// A mark is what the local file has.
type mark struct {
	Store  string   // the id of the store
	Shards []uint64 // the last sequence of each
}

// compareMarks compares the streams with the watermarks.
func (s *Store) compareMarks(ctx context.Context) error {
	local, err := s.readLocal()
	if err != nil {
		return err
	}
	var behind []string
	lost := uint64(0)
	for i, sh := range s.shards {
		mark, err := s.readMark(ctx, strconv.Itoa(i))
		if err != nil {
			return err
		}
		sh.marked = mark
		if i < len(local.Shards) {
			mark = max(mark, local.Shards[i])
		}
		if mark > sh.since {
			lost += mark - sh.since
			behind = append(behind, fmt.Sprintf("stream %s is at %d, its watermark at %d", sh.name, sh.since, mark))
		}
	}
	if behind == nil {
		return nil
	}
	how := fmt.Sprintf("purge the subjects %s of stream %s", s.markSubject("*"), s.files.name)
	if s.opts.Watermark != "" {
		how += fmt.Sprintf(" and delete the file %q", s.opts.Watermark)
	}
	return fmt.Errorf("%w: store lost %d changes or more: %s; restore a backup of the streams, or %s to continue without what is lost",
		fleet.ErrLost, lost, strings.Join(behind, ", "), how)
}

// readLocal reads the local file.
func (s *Store) readLocal() (m mark, err error) {
	if s.opts.Watermark == "" {
		return m, nil
	}
	data, err := os.ReadFile(s.opts.Watermark)
	if errors.Is(err, fs.ErrNotExist) {
		return m, nil
	}
	if err != nil {
		return m, err
	}
	if err := json.Unmarshal(data, &m); err != nil {
		return m, fmt.Errorf("watermark %q: %w: %w; if the store is right, delete the file", s.opts.Watermark, err, fleet.ErrCorrupt)
	}
	if m.Store != s.cfg.id {
		return m, fmt.Errorf("%w: the watermark %q belongs to another store, or to this one before it was made anew; "+
			"if the store is right, delete the file", fleet.ErrLost, s.opts.Watermark)
	}
	return m, nil
}

// writeLocal writes the local file.
func (s *Store) writeLocal() error {
	if s.opts.Watermark == "" {
		return nil
	}
	m := mark{Store: s.cfg.id}
	for _, sh := range s.shards {
		m.Shards = append(m.Shards, max(sh.since, sh.acked.Load()))
	}
	data, err := json.Marshal(m)
	if err != nil {
		return err
	}
	temp := s.opts.Watermark + ".new"
	file, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	if err := errors.Join(err, file.Sync(), file.Close()); err != nil {
		return err
	}
	return os.Rename(temp, s.opts.Watermark)
}

func (s *Store) markSubject(name string) string { return s.files.prefix + ".m." + name }

func (s *Store) readMark(ctx context.Context, name string) (uint64, error) {
	raw, err := s.getRaw(ctx, s.files, get{Last: s.markSubject(name)})
	if err != nil || raw.Seq == 0 {
		return 0, err
	}
	mark, err := strconv.ParseUint(string(raw.Data), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("watermark %s is %q: %w", name, raw.Data, fleet.ErrCorrupt)
	}
	return mark, nil
}

func (s *Store) writeMark(ctx context.Context, name string, mark uint64) error {
	ctx, cancel := context.WithTimeout(ctx, slow)
	defer cancel()
	reply, err := s.nc.RequestWithContext(ctx, s.markSubject(name), strconv.AppendUint(nil, mark, 10))
	if err != nil {
		return err
	}
	a, err := readAnswer(reply.Data)
	if err == nil && a.Error != nil {
		err = errors.New(a.Error.Text)
	}
	return err
}

// mark writes the watermarks: once a second, and at the end. If that fails, the next second will do.
func (s *Store) mark() {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for ended := false; !ended; {
		select {
		case <-tick.C:
		case <-s.ctx.Done():
			ended = true
		}
		changed := false
		for i, sh := range s.shards {
			if acked := sh.acked.Load(); acked > sh.marked {
				changed = true
				if s.writeMark(context.Background(), strconv.Itoa(i), acked) != nil {
					break
				}
				sh.marked = acked
			}
		}
		if changed {
			s.writeLocal()
		}
	}
}
