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

	"github.com/nats-io/nats.go"

	"github.com/scxmlrun/scxmlrun/scxml/fleet"
)

// A stream cannot tell that it was longer: it may have been restored from a backup, or truncated by a
// server that has found damage. So the last sequence of each shard that was acknowledged is noted in
// two other places, once a second: in the stream of the files, which tells that one stream was lost, and
// in a local file, which tells that all were.
//
// Hosts that work while a stream loses its end continue to write it, and it may soon be longer than its
// mark. But the first of their writes gets a sequence that they know to be taken. Whoever notices that
// leaves a note in the stream of the files.

// A mark is what the local file has.
type mark struct {
	Store  string   // the id of the store
	Shards []uint64 // the last sequence of each
}

// readMarks reads the marks of all shards, and whether they were made.
func (s *Store) readMarks(ctx context.Context, local mark) (marks []uint64, made bool, err error) {
	note, err := s.getRaw(ctx, s.files, get{Last: s.markSubject(lostMark)})
	if err == nil && note.Seq != 0 {
		err = fmt.Errorf("%w: %s; %s", fleet.ErrLost, note.Data, s.without())
	}
	if err != nil {
		return nil, false, err
	}
	n, err := s.readMark(ctx, madeMark)
	for i := range s.cfg.shards {
		if err != nil {
			break
		}
		var mark uint64
		mark, err = s.readMark(ctx, strconv.Itoa(i))
		if i < len(local.Shards) {
			mark = max(mark, local.Shards[i])
		}
		marks = append(marks, mark)
	}
	return marks, n != 0, err
}

// compareMarks compares the streams with marks that were read before them. One that seems to be behind is asked
// again until that is certain.
func (s *Store) compareMarks(ctx context.Context, marks []uint64) error {
	for began := time.Now(); ; {
		var behind []string
		lost, sure := uint64(0), true
		for i, sh := range s.shards {
			if sh.stored.Load() >= marks[i] {
				continue
			}
			info, err := s.stream(ctx, sh.name)
			if err != nil {
				return err
			}
			if last := info.State.LastSeq; last < marks[i] {
				lost += marks[i] - last
				behind = append(behind, fmt.Sprintf("stream %s is at %d, its watermark at %d", sh.name, last, marks[i]))
				sure = sure && certain(info, began)
			}
			sh.knows(info.State.LastSeq)
		}
		switch {
		case behind == nil:
			return nil
		case sure:
			return fmt.Errorf("%w: store lost %d changes or more: %s; %s", fleet.ErrLost, lost, strings.Join(behind, ", "), s.without())
		case time.Since(began) > 2*patience:
			return fmt.Errorf("%w: %s, but its leader has no majority", fleet.ErrUnavailable, strings.Join(behind, ", "))
		}
		if err := s.pause(ctx, 100*time.Millisecond); err != nil {
			return err
		}
	}
}

// without says what to do about a loss.
func (s *Store) without() string {
	return fmt.Sprintf("restore a backup of the streams, or purge the subjects %s of stream %s%s to continue without what is lost",
		s.markSubject("*"), s.files.name, s.andLocal())
}

func (s *Store) andLocal() string {
	if s.opts.Watermark == "" {
		return ""
	}
	return fmt.Sprintf(" and delete the file %q", s.opts.Watermark)
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
	return m, nil
}

// writeLocal writes the local file.
func (s *Store) writeLocal() error {
	if s.opts.Watermark == "" {
		return nil
	}
	m := mark{Store: s.cfg.id}
	for _, sh := range s.shards {
		m.Shards = append(m.Shards, sh.stored.Load())
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
	return parseMark(name, raw)
}

func parseMark(name string, raw raw) (uint64, error) {
	mark, err := strconv.ParseUint(string(raw.Data), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("watermark %s is %q: %w", name, raw.Data, fleet.ErrCorrupt)
	}
	return mark, nil
}

// writeMark writes a mark, unless there is a later one: hosts do not know the same.
func (s *Store) writeMark(ctx context.Context, name string, mark uint64) error {
	ctx, cancel := context.WithTimeout(ctx, slow)
	defer cancel()
	for {
		reply, err := s.api(ctx, "STREAM.MSG.GET."+s.files.name, get{Last: s.markSubject(name)})
		switch {
		case err != nil:
			return err
		case reply.Error != nil && reply.Error.ErrCode != codeNotFound:
			return errors.New(reply.Error.Text)
		case reply.Error == nil:
			if last, err := parseMark(name, reply.Message); err != nil || last >= mark {
				return err
			}
		}
		code, err := s.putMark(ctx, name, strconv.FormatUint(mark, 10), reply.Message.Seq)
		if code != codeMoved && code != codeBusy {
			return err
		}
		select {
		case <-time.After(10 * time.Millisecond):
		case <-ctx.Done():
			return err
		}
	}
}

// putMark replaces what has a sequence, and returns the server's code if that is not what is there.
func (s *Store) putMark(ctx context.Context, name, text string, old uint64) (code int, err error) {
	msg := &nats.Msg{Subject: s.markSubject(name), Data: []byte(text), Header: nats.Header{expectHeader: {strconv.FormatUint(old, 10)}}}
	reply, err := s.nc.RequestMsgWithContext(ctx, msg)
	if err != nil {
		return 0, err
	}
	a, err := readAnswer(reply.Data)
	if err == nil && a.Error != nil {
		return a.Error.ErrCode, errors.New(a.Error.Text)
	}
	return 0, err
}

// mark writes the watermarks once a second.
func (s *Store) mark() {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			s.writeMarks()
		case <-s.ctx.Done():
			return
		}
	}
}

// writeMarks writes the watermarks, or the note that something is lost. If that fails, the next second will do.
func (s *Store) writeMarks() {
	s.mu.Lock()
	failed := s.failed
	s.mu.Unlock()
	if failed != nil {
		s.noteLoss(failed)
		return
	}
	changed := false
	for i, sh := range s.shards {
		if stored := sh.stored.Load(); stored > sh.marked {
			changed = true
			if s.writeMark(context.Background(), strconv.Itoa(i), stored) != nil {
				break
			}
			sh.marked = stored
		}
	}
	if changed {
		s.writeLocal()
	}
}

// noteLoss notes why all calls fail, unless the store was made anew.
func (s *Store) noteLoss(failed error) {
	ctx, cancel := context.WithTimeout(context.Background(), slow)
	defer cancel()
	if info, err := s.js.Stream(ctx, s.files.name); err == nil && info.CachedInfo().Config.Metadata[metaID] == s.cfg.id {
		text := strings.TrimPrefix(failed.Error(), fleet.ErrLost.Error()+": ")
		_, _ = s.putMark(ctx, lostMark, text, 0) // another host may have left one
	}
}
