package servertest

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/nats-io/nats.go"
	js "github.com/nats-io/nats.go/jetstream"

	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/jetstream"
)

// refused opens a store and compares the error.
func refused(t *testing.T, url string, o jetstream.Options, is error, want ...string) {
	t.Helper()
	s, err := jetstream.Open(t.Context(), url, o)
	if err == nil {
		s.Close()
	}
	says := func(text string) bool { return strings.Contains(err.Error(), text) }
	if err == nil || is != nil && !errors.Is(err, is) || !slices.ContainsFunc(want, says) || says("secret") {
		t.Errorf("Open returns %v, want an error with one of %q", err, want)
	}
}

func put(t testing.TB, s fleet.Store, key string, body int) error {
	return s.Commit(t.Context(), []fleet.Change{{Key: key, New: &fleet.Record{Key: key, Body: make([]byte, body)}}})[0]
}

// Servers that acknowledge what they have not synced are refused, and so are those of which it is not known.
func TestServerThatDoesNotSyncIsRefused(t *testing.T) {
	c := Start(t, Options{Lazy: true})
	url := c.URL("lazy", "")
	refused(t, url, jetstream.Options{}, nil, "set NATS_SYSTEM")
	t.Setenv("NATS_SYSTEM", System)
	refused(t, url, jetstream.Options{}, nil, `server "n0" does not: set sync_interval: always`)
	t.Setenv("NATS_SYSTEM", "fleet:"+"secret")
	refused(t, url, jetstream.Options{}, nil, "is NATS_SYSTEM a user of the system account?")
	s := mustOpen(t, url+"&sync=unchecked")
	defer s.Close()
	if err := put(t, s, "k", 1); err != nil {
		t.Error(err)
	}
}

func TestWrongAccessIsRefused(t *testing.T) {
	c := Start(t, Options{})
	t.Setenv("NATS_SYSTEM", System)
	url := c.URL("access", "shards=2")
	refused(t, strings.Replace(url, User, "fleet:secret2", 1), jetstream.Options{}, nats.ErrAuthorization, "check user and password")
	refused(t, strings.Replace(url, User, Plain, 1), jetstream.Options{}, nil, "allow it for the account")
	refused(t, strings.Replace(url, "replicas=1", "replicas=3", 1), jetstream.Options{}, nil, "write replicas=1 for a single server")
	refused(t, url, jetstream.Options{ReadOnly: true}, nil, "there is no store")
	t.Setenv("NATS_SYSTEM", "sys:secret2")
	refused(t, url, jetstream.Options{}, nats.ErrAuthorization, "as NATS_SYSTEM")

	// The password may also come from the environment.
	t.Setenv("NATS_USER", "fleet")
	t.Setenv("NATS_PASSWORD", "secret")
	s := mustOpen(t, strings.Replace(url, User+"@", "", 1))
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	refused(t, strings.Replace(url, "shards=2", "shards=3", 1), jetstream.Options{}, nil, "the store has 2 shards since it was created, not 3")
	refused(t, "nats://fleet:secret@127.0.0.1:1/access", jetstream.Options{}, nats.ErrNoServers, "127.0.0.1:1/access")
}

// A stream that is missing, or that is behind its watermark, is refused.
func TestLostStreamIsRefused(t *testing.T) {
	c := Start(t, Options{})
	admin := c.JetStream(t)
	t.Setenv("NATS_SYSTEM", System)
	url := c.URL("lost", "shards=2")
	o := jetstream.Options{Watermark: filepath.Join(t.TempDir(), "mark")}
	s, err := jetstream.Open(t.Context(), url, o)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 20 {
		if err := put(t, s, fmt.Sprint(i), 10); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"lost_0", "lost_files"} {
		stream, err := admin.Stream(t.Context(), name)
		if err == nil {
			err = admin.DeleteStream(t.Context(), name)
		}
		if err != nil {
			t.Fatal(err)
		}
		refused(t, url, o, fleet.ErrLost, "stream "+name+" is missing")
		if _, err := admin.CreateStream(t.Context(), stream.CachedInfo().Config); err != nil {
			t.Fatal(err)
		}
		if name == "lost_0" {
			refused(t, url, jetstream.Options{}, fleet.ErrLost, "stream lost_0 is at 0, its watermark at")
		}
		refused(t, url, o, fleet.ErrLost, "stream lost_0 is at 0, its watermark at")
	}
	for _, name := range []string{"lost_0", "lost_1", "lost_files"} {
		if err := admin.DeleteStream(t.Context(), name); err != nil {
			t.Fatal(err)
		}
	}
	refused(t, url, o, fleet.ErrLost, "stream lost_files is missing")
	mustOpen(t, url).Close() // without its watermark it is a new store
	refused(t, url, o, fleet.ErrLost, "belongs to another store")
}

// A stream that loses its end while a host works becomes longer than its watermark again. The host notices with its
// first write, and hosts that start later are refused.
func TestLossWhileOpen(t *testing.T) {
	c := Start(t, Options{})
	admin := c.JetStream(t)
	t.Setenv("NATS_SYSTEM", System)
	url := c.URL("behind", "shards=1")
	s := mustOpen(t, url)
	for i := range 20 {
		if err := put(t, s, fmt.Sprint(i), 10); err != nil {
			t.Fatal(err)
		}
	}
	again(t, admin, "behind_0")
	err := put(t, s, "after", 10)
	if want := "stream behind_0 was at 20, and is now at 1"; !errors.Is(err, fleet.ErrLost) || !strings.Contains(err.Error(), want) {
		t.Errorf("Commit returns %v, want %s", err, want)
	}
	if err := s.PutFile(t.Context(), "f", nil); !errors.Is(err, fleet.ErrLost) {
		t.Errorf("PutFile returns %v, want ErrLost", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	for range 30 {
		if _, err := admin.Publish(t.Context(), "behind.0.x", nil); err != nil {
			t.Fatal(err)
		}
	}
	refused(t, url, jetstream.Options{}, fleet.ErrLost, "stream behind_0 was at 20, and is now at 1; restore a backup")
}

// again makes a stream anew, empty.
func again(t *testing.T, admin js.JetStream, name string) {
	t.Helper()
	stream, err := admin.Stream(t.Context(), name)
	if err == nil {
		err = admin.DeleteStream(t.Context(), name)
	}
	if err == nil {
		_, err = admin.CreateStream(t.Context(), stream.CachedInfo().Config)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// A record that is missing is noticed after a stop of all hosts, also the last one; what was deleted on purpose is
// not missing.
func TestMissingRecord(t *testing.T) {
	c := Start(t, Options{})
	admin := c.JetStream(t)
	t.Setenv("NATS_SYSTEM", System)
	for _, missing := range []uint64{3, 12} {
		name := fmt.Sprint("missing", missing)
		url := c.URL(name, "shards=1")
		s := mustOpen(t, url)
		revisions := map[int]uint64{}
		for i := range 12 {
			key, rec := i%10, (*fleet.Record)(nil)
			if i != 5 {
				rec = &fleet.Record{Key: fmt.Sprint(key)}
			} else if key = 4; revisions[key] == 0 {
				t.Fatal("it is not stored")
			}
			if err := s.Commit(t.Context(), []fleet.Change{{Key: fmt.Sprint(key), Old: revisions[key], New: rec}})[0]; err != nil {
				t.Fatal(err)
			}
			if rec != nil {
				revisions[key] = rec.Revision
			}
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		stream, err := admin.Stream(t.Context(), name+"_0")
		if err != nil {
			t.Fatal(err)
		}
		if err := stream.DeleteMsg(t.Context(), 6); err != nil { // the tombstone
			t.Fatal(err)
		}
		if err := mustOpen(t, url).Close(); err != nil {
			t.Error(err)
		}
		if err := stream.DeleteMsg(t.Context(), missing); err != nil {
			t.Fatal(err)
		}
		refused(t, url, jetstream.Options{}, fleet.ErrCorrupt, "stream "+name+"_0 does not have the records that it had at 12")
	}
}

// Marks do not fall: a host that knows less does not hide what another one has noted.
func TestMarksOnlyGrow(t *testing.T) {
	c := Start(t, Options{})
	admin := c.JetStream(t)
	t.Setenv("NATS_SYSTEM", System)
	url := c.URL("marks", "shards=1")
	s := mustOpen(t, url)
	if err := put(t, s, "k", 10); err != nil {
		t.Fatal(err)
	}
	if _, err := admin.Publish(t.Context(), "marks.files.m.0", []byte("9")); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	refused(t, url, jetstream.Options{}, fleet.ErrLost, "stream marks_0 is at 1, its watermark at 9")
}

// A stream that is deleted while the store is open is an error that says so.
// A record that is not what was written is named, and not used.
func TestDamagedRecord(t *testing.T) {
	c := Start(t, Options{})
	s := mustOpen(t, c.URL("damage", "shards=1"))
	defer s.Close()
	if err := put(t, s, "k", 10); err != nil {
		t.Fatal(err)
	}
	admin := c.JetStream(t)
	stream, err := admin.Stream(t.Context(), "damage_0")
	if err != nil {
		t.Fatal(err)
	}
	stored, err := stream.GetMsg(t.Context(), stream.CachedInfo().State.LastSeq)
	if err != nil {
		t.Fatal(err)
	}
	stored.Header.Del("Nats-Expected-Last-Subject-Sequence")
	stored.Header.Del("Nats-Msg-Id")
	stored.Data[len(stored.Data)-1] ^= 1
	if _, err := admin.PublishMsg(t.Context(), &nats.Msg{Subject: stored.Subject, Header: stored.Header, Data: stored.Data}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Load(t.Context(), "k"); !errors.Is(err, fleet.ErrCorrupt) {
		t.Errorf("Load returns %v, want ErrCorrupt", err)
	}
}

func TestDeletedStream(t *testing.T) {
	c := Start(t, Options{})
	s := mustOpen(t, c.URL("deleted", "shards=1"))
	defer s.Close()
	if err := put(t, s, "a", 10); err != nil {
		t.Fatal(err)
	}
	admin := c.JetStream(t)
	if err := admin.DeleteStream(t.Context(), "deleted_0"); err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{put(t, s, "b", 10), func() error { _, err := s.Load(t.Context(), "a"); return err }()} {
		if !errors.Is(err, fleet.ErrLost) || !strings.Contains(err.Error(), "stream deleted_0 was deleted") {
			t.Errorf("got %v, want that the stream was deleted", err)
		}
	}
}

// A record that is larger than a message may be is refused with what to change. When it was changed, it
// is stored.
func TestLargeRecord(t *testing.T) {
	c := Start(t, Options{})
	s := mustOpen(t, c.URL("large", "shards=1"))
	defer s.Close()
	err := put(t, s, "k", 2<<20)
	if !errors.Is(err, jetstream.ErrTooLarge) || !strings.Contains(err.Error(), "set max_payload") {
		t.Errorf("Commit returns %v, want ErrTooLarge", err)
	}
	if err := s.PutFile(t.Context(), "f", make([]byte, 2<<20)); !errors.Is(err, jetstream.ErrTooLarge) {
		t.Errorf("PutFile returns %v, want ErrTooLarge", err)
	}
	if err := put(t, s, "k", 1<<20-1000); err != nil {
		t.Error(err)
	}
	c = Start(t, Options{Config: "max_payload: 8MB"})
	s = mustOpen(t, c.URL("large", "shards=1"))
	defer s.Close()
	if err := put(t, s, "k", 2<<20); err != nil {
		t.Error(err)
	}
}

// When a stream is full, many commits at the same time get that answer as a single one does.
func TestFullStream(t *testing.T) {
	c := Start(t, Options{})
	s := mustOpen(t, c.URL("full", "shards=1"))
	defer s.Close()
	admin := c.JetStream(t)
	stream, err := admin.Stream(t.Context(), "full_0")
	if err != nil {
		t.Fatal(err)
	}
	config := stream.CachedInfo().Config
	config.MaxBytes = 2000
	if _, err := admin.UpdateStream(t.Context(), config); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for i := range 40 {
		all.Go(func() {
			if err := put(t, s, fmt.Sprint(i), 5000); err == nil || !strings.Contains(err.Error(), "maximum bytes exceeded") {
				t.Errorf("got %v, want that the stream is full", err)
			}
		})
	}
	all.Wait()
	config.MaxBytes = -1
	if _, err := admin.UpdateStream(t.Context(), config); err != nil {
		t.Fatal(err)
	}
	if err := put(t, s, "k", 5000); err != nil {
		t.Error(err)
	}
}

// Commits that come at the same time share batches, where the stream allows them.
func TestCommitsShareBatches(t *testing.T) {
	c := Start(t, Options{})
	s := mustOpen(t, c.URL("batches", "shards=1"))
	defer s.Close()
	var all sync.WaitGroup
	for i := range 100 {
		all.Go(func() {
			if err := put(t, s, fmt.Sprint(i), 10); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	stream, err := c.JetStream(t).Stream(t.Context(), "batches_0")
	if err != nil {
		t.Fatal(err)
	}
	shared := 0
	for i := range 100 {
		msg, err := stream.GetLastMsgForSubject(t.Context(), fmt.Sprintf("batches.0.r.%d", i))
		if err != nil {
			t.Fatal(err)
		}
		if msg.Header.Get("Nats-Batch-Id") != "" {
			shared++
		}
	}
	if shared < 50 {
		t.Errorf("of 100 commits %d were in a batch", shared)
	}
}
