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
// mark. But the first of their writes gets a sequence that they know to be taken. A process that notices this
// leaves a note in the stream of the files.
//
// A record that is missing before the end is noticed if nothing was stored after the mark was written, as when
// all hosts were stopped: a mark has a sum of all records, too.

// A mark is what the stream of the files has of a shard.
type mark struct {
	last           uint64 // sequence
	delivered, sum uint64 // of the records up to a sequence; 0 means that there is none
}

// localMarks are what the local file has.
type localMarks struct {
	Store  string   // the id of the store
	Shards []uint64 // the last sequence of each
}

// readMarks reads the marks of all shards, and whether they were made.
func (s *Store) readMarks(ctx context.Context, local localMarks) (marks []mark, made bool, err error) {
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
		var m mark
		m, err = s.readMark(ctx, strconv.Itoa(i))
		if i < len(local.Shards) {
			m.last = max(m.last, local.Shards[i])
		}
		marks = append(marks, m)
	}
	return marks, n.last != 0, err
}

// compareMarks compares the streams with marks that were read before them. One that seems to be behind is asked
// again until that is certain.
func (s *Store) compareMarks(ctx context.Context) error {
	for began := time.Now(); ; {
		var behind []string
		lost, sure := uint64(0), true
		for _, sh := range s.shards {
			if sh.stored.Load() >= sh.marked.last {
				continue
			}
			info, err := s.stream(ctx, sh.name)
			if err != nil {
				return err
			}
			if last := info.State.LastSeq; last < sh.marked.last {
				lost += sh.marked.last - last
				behind = append(behind, fmt.Sprintf("stream %s is at %d, its watermark at %d", sh.name, last, sh.marked.last))
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

// compareSums compares the records with the sums of marks that were read before them.
func (s *Store) compareSums(ctx context.Context) error {
	for _, sh := range s.shards {
		for began := time.Now(); ; {
			s.mu.Lock()
			has, odd := mark{delivered: sh.delivered, sum: sh.sum}, sh.odd
			s.mu.Unlock()
			if odd || sh.marked.delivered == 0 || has.delivered > sh.marked.delivered || has.sum == sh.marked.sum {
				break
			}
			last, err := s.getRaw(ctx, sh, get{Last: sh.subject("") + ">"})
			if err != nil {
				return err
			}
			if last.Seq > has.delivered { // it comes from a server that does not have all that the leader has
				if time.Since(began) > patience {
					break
				}
			} else if info, err := s.stream(ctx, sh.name); err != nil {
				return err
			} else if certain(info, began) {
				return fmt.Errorf("stream %s does not have the records that it had at %d: %w; %s", sh.name, sh.marked.delivered, fleet.ErrCorrupt, s.without())
			}
			if err := s.pause(ctx, 100*time.Millisecond); err != nil {
				return err
			}
		}
	}
	return nil
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
func (s *Store) readLocal() (m localMarks, err error) {
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
	m := localMarks{Store: s.cfg.id}
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

func (s *Store) readMark(ctx context.Context, name string) (mark, error) {
	raw, err := s.getRaw(ctx, s.files, get{Last: s.markSubject(name)})
	if err != nil || raw.Seq == 0 {
		return mark{}, err
	}
	return parseMark(name, raw)
}

func parseMark(name string, raw raw) (m mark, err error) {
	m.last, err = strconv.ParseUint(string(raw.Data), 10, 64)
	if err == nil && len(raw.Header) > 0 {
		var header nats.Header
		if header, err = nats.DecodeHeadersMsg(raw.Header); err == nil && header.Get(aboutHeader) != "" {
			_, err = fmt.Sscanf(header.Get(aboutHeader), sumFormat, &m.delivered, &m.sum)
		}
	}
	if err != nil {
		err = fmt.Errorf("watermark %s is %q: %w", name, raw.Data, fleet.ErrCorrupt)
	}
	return m, err
}

const sumFormat = "%d %x"

// writeMark writes a mark, unless there is a later one: hosts do not know the same.
func (s *Store) writeMark(ctx context.Context, name string, m mark) error {
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
			has, err := parseMark(name, reply.Message)
			if err != nil || has.last >= m.last && has.delivered >= m.delivered {
				return err
			}
			if m.last = max(m.last, has.last); has.delivered > m.delivered {
				m.delivered, m.sum = has.delivered, has.sum
			}
		}
		msg := &nats.Msg{Subject: s.markSubject(name), Data: strconv.AppendUint(nil, m.last, 10), Header: nats.Header{}}
		if m.delivered != 0 {
			msg.Header.Set(aboutHeader, fmt.Sprintf(sumFormat, m.delivered, m.sum))
		}
		code, err := s.replace(ctx, msg, reply.Message.Seq)
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

// replace stores a message instead of the one with a sequence. If the server refuses that, it returns the code, too.
func (s *Store) replace(ctx context.Context, msg *nats.Msg, old uint64) (code int, err error) {
	msg.Header.Set(expectHeader, strconv.FormatUint(old, 10))
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
	connected := time.Now().Round(0)
	for {
		select {
		case now := <-tick.C:
			if now.Round(0).Sub(connected) > tombstoneTime/2 { // it may never hear of what was deleted
				s.mu.Lock()
				for _, sh := range s.shards {
					sh.odd = true
				}
				s.mu.Unlock()
			}
			if s.nc.IsConnected() {
				connected = now.Round(0) // the clock of the wall: the machine may have slept
			}
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
		s.noted = s.noted || s.noteLoss(failed) == nil
		return
	}
	changed := false
	for i, sh := range s.shards {
		s.mu.Lock()
		m := mark{sh.stored.Load(), sh.delivered, sh.sum}
		if sh.odd {
			m.delivered = 0
		}
		s.mu.Unlock()
		if m.last > sh.marked.last || m.delivered > sh.marked.delivered {
			changed = true
			if s.writeMark(context.Background(), strconv.Itoa(i), m) != nil {
				break
			}
			sh.marked = m
		}
	}
	if changed {
		s.writeLocal()
	}
}

// noteLoss notes why all calls fail, unless another host has, or the store was made anew.
func (s *Store) noteLoss(failed error) error {
	ctx, cancel := context.WithTimeout(context.Background(), slow)
	defer cancel()
	stream, err := s.js.Stream(ctx, s.files.name)
	if err != nil || stream.CachedInfo().Config.Metadata[metaID] != s.cfg.id {
		return err
	}
	text := strings.TrimPrefix(failed.Error(), fleet.ErrLost.Error()+": ")
	code, err := s.replace(ctx, &nats.Msg{Subject: s.markSubject(lostMark), Data: []byte(text), Header: nats.Header{}}, 0)
	if code == codeMoved {
		return nil
	}
	return err
}
