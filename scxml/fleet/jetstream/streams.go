package jetstream

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	js "github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"

	"github.com/scxmlrun/scxmlrun/scxml/fleet"
)

const (
	metaFormat = "scxml-format" // of what the streams have: "1"
	metaShards = "scxml-shards"
	metaID     = "scxml-id"
	madeMark   = "made" // a watermark that says that all streams were made
	lostMark   = "lost" // one that says what is lost
)

// openStreams opens the streams, and makes them for a new store.
func (s *Store) openStreams(ctx context.Context) error {
	var err error
	if s.js, err = js.New(s.nc, js.WithDefaultTimeout(slow)); err != nil {
		return err
	}
	local, err := s.readLocal()
	if err != nil {
		return err
	}
	if s.files, err = s.openFiles(ctx, local); err != nil {
		return err
	}
	// The marks are read before the streams, which other hosts write: a stream is never behind a mark that was
	// there before it was asked, unless it has lost something.
	marks, made, err := s.readMarks(ctx, local)
	if err != nil {
		return err
	}
	for i := range s.cfg.shards {
		sh := s.newShard(strconv.Itoa(i))
		find := s.stream
		if made {
			find = s.mustStream
		}
		info, err := find(ctx, sh.name)
		if errors.Is(err, js.ErrStreamNotFound) && !made {
			info, err = s.create(ctx, sh, nil)
		}
		if err == nil {
			err = s.accept(info)
		}
		if err != nil {
			return err
		}
		sh.opened(info)
		sh.marked = marks[i]
		s.shards = append(s.shards, sh)
	}
	if err := s.compareMarks(ctx); err != nil {
		return err
	}
	if !made && !s.opts.ReadOnly {
		return s.writeMark(ctx, madeMark, mark{last: 1})
	}
	return nil
}

func (s *Store) newShard(name string) *shard {
	return &shard{s: s, name: s.cfg.name + "_" + name, prefix: s.cfg.name + "." + name, ready: make(chan struct{})}
}

func (sh *shard) opened(info *js.StreamInfo) {
	sh.knows(info.State.LastSeq)
	sh.ttl = info.Config.AllowMsgTTL
	sh.batches.Store(info.Config.AllowAtomicPublish) // an older server would ignore the headers
}

// openFiles opens the stream of the files, which knows the number of shards.
func (s *Store) openFiles(ctx context.Context, local localMarks) (*shard, error) {
	sh := s.newShard("files")
	info, err := s.stream(ctx, sh.name)
	if errors.Is(err, js.ErrStreamNotFound) {
		exists := local.Store != ""
		if !exists {
			_, err := s.stream(ctx, s.cfg.name+"_0")
			exists = err == nil
		}
		if exists {
			info, err = s.mustStream(ctx, sh.name)
		} else {
			shards := cmp.Or(s.cfg.shards, defaultShards)
			info, err = s.create(ctx, sh, map[string]string{metaFormat: "1", metaShards: strconv.Itoa(shards), metaID: nuid.Next()})
			if errors.Is(err, js.ErrStreamNameAlreadyInUse) { // another host was faster
				info, err = s.stream(ctx, sh.name)
			}
		}
	}
	if err != nil {
		return nil, err
	}
	if format := info.Config.Metadata[metaFormat]; format != "1" {
		return nil, fmt.Errorf("stream %s has format %q, this program reads 1", sh.name, format)
	}
	shards, err := strconv.Atoi(info.Config.Metadata[metaShards])
	switch {
	case err != nil || shards < 1 || shards > maxShards:
		return nil, fmt.Errorf("stream %s has %q shards: %w", sh.name, info.Config.Metadata[metaShards], fleet.ErrCorrupt)
	case s.cfg.shards != 0 && s.cfg.shards != shards:
		return nil, fmt.Errorf("the store has %d shards since it was created, not %d: leave out shards=%d", shards, s.cfg.shards, s.cfg.shards)
	}
	s.cfg.shards, s.cfg.id = shards, info.Config.Metadata[metaID]
	if local.Store != "" && local.Store != s.cfg.id {
		return nil, fmt.Errorf("%w: the watermark %q belongs to another store, or to this one before it was made anew; "+
			"if the store is right, delete the file", fleet.ErrLost, s.opts.Watermark)
	}
	sh.opened(info)
	return sh, s.accept(info)
}

// settle repeats a request while the servers elect a leader.
func (s *Store) settle(ctx context.Context, f func() error) error {
	deadline := time.Now().Add(patience)
	for {
		err := f()
		if !unsettled(err) || ctx.Err() != nil || time.Now().After(deadline) {
			return err
		}
		if perr := s.pause(ctx, 100*time.Millisecond); perr != nil {
			return err
		}
	}
}

// unsettled reports whether an error is one of servers that elect a leader, or do not answer in time.
func unsettled(err error) bool {
	var api *js.APIError
	if errors.As(err, &api) {
		return api.ErrorCode == codeNoPeers || api.ErrorCode == codeOffline ||
			api.Code == 503 && api.ErrorCode != codeNotEnabled && api.ErrorCode != js.JSErrCodeJetStreamNotEnabled
	}
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, nats.ErrTimeout)
}

// later reports whether opening a store has failed for a reason that may go away by itself: no server can be
// reached, by an address that may be known only when it runs, or it is busy.
func later(err error) bool {
	var wrong *net.AddrError // such as a port that is too high
	if errors.Is(err, nats.ErrPermissionViolation) || errors.Is(err, fleet.ErrLost) || errors.As(err, &wrong) {
		return false
	}
	var network *net.OpError
	return unsettled(err) || errors.Is(err, nats.ErrNoServers) || errors.Is(err, nats.ErrNoResponders) ||
		errors.Is(err, nats.ErrDisconnected) || errors.Is(err, io.EOF) || errors.As(err, &network) && (network.Op == "dial" || network.Op == "read")
}

func (s *Store) stream(ctx context.Context, name string) (info *js.StreamInfo, err error) {
	err = s.settle(ctx, func() error {
		stream, err := s.js.Stream(ctx, name)
		if err == nil {
			info = stream.CachedInfo()
		}
		return err
	})
	if errors.Is(err, js.ErrJetStreamNotEnabled) || errors.Is(err, js.ErrJetStreamNotEnabledForAccount) {
		err = fmt.Errorf("%w: start the server with JetStream, and allow it for the account", err)
	}
	return info, s.denied(err)
}

// mustStream is stream for one that was made. The error is ErrLost if it is not there any more. A server that
// has just become the leader of a cluster may not know all streams yet, so it is asked for some time.
func (s *Store) mustStream(ctx context.Context, name string) (*js.StreamInfo, error) {
	for began := time.Now(); ; {
		info, err := s.stream(ctx, name)
		switch {
		case !errors.Is(err, js.ErrStreamNotFound):
			return info, err
		case s.nc.ConnectedClusterName() == "" || time.Since(began) > patience:
			return nil, fmt.Errorf("%w: stream %s is missing: restore it from a backup; to begin with an empty store, delete all streams %s_*%s",
				fleet.ErrLost, name, s.cfg.name, s.andLocal())
		}
		if err := s.pause(ctx, 100*time.Millisecond); err != nil {
			return nil, err
		}
	}
}

// certain reports whether what a stream's leader has said for some time is the state of the stream. One that
// was cut off from the others answers from a former state, until it notices that; a new one may not have read
// all that its predecessor has acknowledged. A stream with one replica has one state.
func certain(info *js.StreamInfo, since time.Time) bool {
	if info.Config.Replicas == 1 || info.Cluster == nil {
		return true
	}
	answer := 1
	for _, r := range info.Cluster.Replicas {
		if !r.Offline && r.Active < patience/2 {
			answer++
		}
	}
	return time.Since(since) >= patience && answer > info.Config.Replicas/2
}

// denied adds what the server has refused to a timeout: it does not answer what it does not permit.
func (s *Store) denied(err error) error {
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, nats.ErrTimeout) {
		if last := s.nc.LastError(); last != nil && strings.Contains(strings.ToLower(last.Error()), "permissions violation") {
			return fmt.Errorf("%w: %w", err, last)
		}
	}
	return err
}

func (s *Store) create(ctx context.Context, sh *shard, meta map[string]string) (*js.StreamInfo, error) {
	if s.opts.ReadOnly {
		return nil, fmt.Errorf("there is no store: stream %s is missing", sh.name)
	}
	replicas := cmp.Or(s.cfg.replicas, defaultReplicas)
	config := js.StreamConfig{
		Name: sh.name, Subjects: []string{sh.prefix + ".>"}, Metadata: meta, Description: "sessions of scxmlrun",
		Replicas: replicas, Storage: js.FileStorage, MaxMsgsPerSubject: 1, Discard: js.DiscardNew,
		AllowAtomicPublish: true, AllowMsgTTL: true,
	}
	var stream js.Stream
	try := func() (err error) {
		stream, err = s.js.CreateStream(ctx, config)
		return err
	}
	err := s.settle(ctx, try)
	var api *js.APIError
	for _, drop := range []func(){func() { config.AllowAtomicPublish = false }, func() { config.AllowMsgTTL = false }} {
		if errors.As(err, &api) && api.ErrorCode == codeBadRequest { // an older server, which does not know the field
			drop()
			err = s.settle(ctx, try)
		}
	}
	switch {
	case errors.As(err, &api) && api.ErrorCode == codeNotCluster:
		return nil, fmt.Errorf("cannot create stream %s with %d replicas: the server is not in a cluster; write replicas=1 for a single server", sh.name, replicas)
	case err != nil:
		return nil, fmt.Errorf("cannot create stream %s with %d replicas: %w", sh.name, replicas, s.denied(err))
	}
	return stream.CachedInfo(), nil
}

// accept returns an error for a stream that may forget records.
func (s *Store) accept(info *js.StreamInfo) error {
	c := info.Config
	var why string
	switch {
	case c.Storage != js.FileStorage:
		why = "it is in memory"
	case c.MaxMsgsPerSubject != 1:
		why = fmt.Sprintf("it keeps %d messages of a subject, not 1", c.MaxMsgsPerSubject)
	case c.MaxAge != 0:
		why = "it drops what is old: want max_age 0"
	case c.Retention != js.LimitsPolicy:
		why = "it drops what was consumed: want retention limits"
	case c.Discard != js.DiscardNew && (c.MaxBytes > 0 || c.MaxMsgs > 0):
		why = "it drops what is old when it is full: want discard new"
	case c.PersistMode != js.DefaultPersistMode && !s.cfg.unchecked:
		why = "it acknowledges before it writes: want persist_mode default"
	case s.cfg.replicas != 0 && c.Replicas != s.cfg.replicas:
		return fmt.Errorf("stream %s has %d replicas, not %d: leave out replicas=%d, or change the stream with the command nats", c.Name, c.Replicas, s.cfg.replicas, s.cfg.replicas)
	}
	if why != "" {
		return fmt.Errorf("cannot keep sessions in stream %s: %s", c.Name, why)
	}
	return nil
}

// checkSync asks all servers whether they sync each write before they acknowledge it.
func (c config) checkSync(ctx context.Context) error {
	if c.unchecked {
		return nil
	}
	system := os.Getenv("NATS_SYSTEM")
	if system == "" {
		return errors.New("it is not known whether the servers sync each write: set NATS_SYSTEM to USER:PASSWORD or a file of credentials " +
			"of the system account, or add sync=unchecked to the URL if they have sync_interval: always")
	}
	if user, password, ok := strings.Cut(system, ":"); ok {
		c.options = append(c.options, nats.UserInfo(user, password), nats.Token(""))
	} else {
		c.options = append(c.options, nats.UserCredentials(system))
	}
	nc, err := c.connect()
	if err != nil {
		return fmt.Errorf("cannot ask the servers as NATS_SYSTEM whether they sync each write: %w", err)
	}
	defer nc.Close()
	replies, err := nc.SubscribeSync(nc.NewInbox())
	if err == nil {
		err = nc.PublishRequest("$SYS.REQ.SERVER.PING.JSZ", replies.Subject, nil)
	}
	for seen := 0; err == nil; seen++ {
		wait := 300 * time.Millisecond // for one more
		if seen == 0 {
			wait = 2 * time.Second
		}
		waiting, cancel := context.WithTimeout(ctx, wait)
		var msg *nats.Msg
		msg, err = replies.NextMsgWithContext(waiting)
		cancel()
		if seen > 0 && errors.Is(err, context.DeadlineExceeded) {
			return ctx.Err()
		}
		if err == nil {
			err = synced(msg.Data)
		}
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		err = fmt.Errorf("no server has answered: is NATS_SYSTEM a user of the system account? %w", nats.ErrTimeout)
	case errors.Is(err, nats.ErrNoResponders):
		err = errors.New("no server has answered: is NATS_SYSTEM a user of the system account?")
	}
	return fmt.Errorf("cannot tell whether the servers sync each write: %w", err)
}

// synced reads a server's answer about its JetStream.
func synced(data []byte) error {
	var reply struct {
		Server struct{ Name string }
		Data   struct {
			Disabled bool
			Config   struct {
				Sync bool `json:"sync_always"`
			}
		}
	}
	if err := json.Unmarshal(data, &reply); err != nil {
		return err
	}
	if !reply.Data.Disabled && !reply.Data.Config.Sync {
		return fmt.Errorf("server %q does not: set sync_interval: always in the block jetstream of its configuration, "+
			"or add sync=unchecked to the URL to lose what was acknowledged when the power fails", reply.Server.Name)
	}
	return nil
}
