package servertest

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	js "github.com/nats-io/nats.go/jetstream"

	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/jetstream"
)

var (
	startsNodes    = flag.Int("starts.nodes", 1, "TestStarts, TestDamagedStarts: nodes of the cluster")
	startsHealthy  = flag.Int("starts.healthy", 2, "TestStarts: how often a host starts under load")
	startsSessions = flag.Int("starts.sessions", 100, "TestStarts: sessions")
	startsRate     = flag.Int("starts.rate", 100, "TestStarts: events in a second")
	startsFaults   = flag.Bool("starts.faults", false, "TestStarts: one node of the cluster at a time is killed, stopped or cut off")
	startsDamaged  = flag.Int("starts.damaged", 9, "TestDamagedStarts: stores that have lost changes")
	startsSeed     = flag.Uint64("starts.seed", 1, "TestDamagedStarts: the seed of the losses")
)

// A second host starts again and again while another one works. Its store is in order, so it is never refused. While
// nodes fail, it may have to try again.
func TestStarts(t *testing.T) {
	c := Start(t, Options{Nodes: *startsNodes})
	url := c.URL("load", "shards=4")
	live := mustOpen(t, url)
	revisions := make([]uint64, *startsSessions)
	change := func(s fleet.Store, i int) error {
		rec := &fleet.Record{Key: fmt.Sprint("session-", i), Body: make([]byte, 1000)}
		err := s.Commit(context.Background(), []fleet.Change{{Key: rec.Key, Old: revisions[i], New: rec, Log: make([]byte, 100), KeepLog: 100}})[0]
		if err != nil && *startsFaults && !errors.Is(err, fleet.ErrLost) { // the outcome is not known
			if rec, err = s.Load(context.Background(), rec.Key); err != nil && !errors.Is(err, fleet.ErrLost) {
				return nil
			}
		}
		if err == nil {
			revisions[i] = rec.Revision
		}
		return err
	}
	const callers = 50
	var work sync.WaitGroup
	for w := range callers {
		work.Go(func() {
			for i := w; i < *startsSessions; i += callers {
				if err := change(live, i); err != nil {
					t.Error(err)
				}
			}
		})
	}
	work.Wait()
	ctx, cancel := context.WithCancel(context.Background())
	done, began := make([]int, callers), time.Now()
	for w := range callers {
		work.Go(func() {
			tick := time.NewTicker(time.Second * callers / time.Duration(*startsRate))
			defer tick.Stop()
			for ; ctx.Err() == nil; <-tick.C {
				if err := change(live, w+callers*rand.IntN(*startsSessions/callers)); err != nil {
					t.Error(err)
				}
				done[w]++
			}
		})
	}
	if *startsFaults {
		work.Go(func() {
			for i := 0; ctx.Err() == nil; i++ {
				if err := fail(c.Nodes[i%len(c.Nodes)], i); err != nil {
					t.Error(err)
				}
				if err := c.Wait(2 * time.Minute); err != nil {
					t.Error(err)
				}
			}
		})
	}
	o := jetstream.Options{Watermark: filepath.Join(t.TempDir(), "mark")}
	var took []time.Duration
	refused, tries := 0, 0
	for i := range *startsHealthy {
		start := time.Now()
		s, err := jetstream.Open(t.Context(), url, o)
		for ; *startsFaults && errors.Is(err, fleet.ErrUnavailable); tries++ {
			s, err = jetstream.Open(t.Context(), url, o)
		}
		took = append(took, time.Since(start))
		if err != nil {
			t.Errorf("start %d is refused: %v", i, err)
			refused++
			continue
		}
		if err := put(t, s, fmt.Sprint("second-", i), 100); err != nil && !*startsFaults {
			t.Error(err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	cancel()
	work.Wait()
	lasted := time.Since(began)
	// When nobody works, the records are compared with what the live host has noted through all that.
	if err := live.Close(); err != nil {
		t.Error(err)
	}
	if s, err := jetstream.Open(t.Context(), url, o); err != nil {
		t.Errorf("the last start is refused: %v", err)
	} else if err := s.Close(); err != nil {
		t.Error(err)
	}
	slices.Sort(took)
	events := 0
	for _, n := range done {
		events += n
	}
	t.Logf("%d of %d starts were refused, and there were %d more attempts; with %d sessions and %.0f events a second a start took %v (median), %v at most", refused, len(took), tries,
		*startsSessions, float64(events)/lasted.Seconds(), took[len(took)/2].Round(time.Millisecond), took[len(took)-1].Round(time.Millisecond))
}

// fail makes a node fail for some seconds.
func fail(n *Node, i int) error {
	begin, end := n.Cut, func() error { n.Heal(); return nil }
	switch i % 3 {
	case 0:
		begin, end = n.Kill, n.Start
	case 1:
		begin, end = n.Pause, func() error { n.Resume(); return nil }
	}
	begin()
	<-time.After(time.Duration(2+i%5*2) * time.Second)
	return end()
}

// A damaged store is one that has really lost changes.
type damaged struct {
	*testing.T
	c     *Cluster
	admin js.JetStream
	name  string
	o     jetstream.Options
	lost  int // changes that were made after the copies of the nodes
	rnd   *rand.Rand
}

func (d *damaged) url() string { return d.c.URL(d.name, "shards=2") }

// write makes changes of random records in all shards, with logs, as a host does from start to stop.
func (d *damaged) write(n int) {
	s, err := jetstream.Open(context.Background(), d.url(), d.o)
	if err != nil {
		d.Fatal(err)
	}
	for range n {
		key := fmt.Sprint("k", d.rnd.IntN(8))
		rec, err := s.Load(context.Background(), key)
		if errors.Is(err, fleet.ErrNotFound) {
			rec, err = &fleet.Record{Key: key}, nil
		}
		if err == nil {
			err = s.Commit(context.Background(), []fleet.Change{{Key: key, Old: rec.Revision, New: rec, Log: make([]byte, 300), KeepLog: 20}})[0]
		}
		if err != nil {
			d.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		d.Fatal(err)
	}
}

// stream returns one of the shards that has changed since the nodes were copied.
func (d *damaged) stream() js.Stream {
	for i := range 2 {
		stream, err := d.admin.Stream(d.Context(), fmt.Sprintf("%s_%d", d.name, i))
		if err != nil {
			d.Fatal(err)
		}
		if stream.CachedInfo().State.Msgs > 0 {
			return stream
		}
	}
	d.Fatal("the shards are empty")
	return nil
}

// remove removes a record's message: the last one of the stream, or any.
func (d *damaged) remove(last bool) {
	stream := d.stream()
	info, err := stream.Info(d.Context(), js.WithSubjectFilter(fmt.Sprintf("%s.%c.r.>", d.name, stream.CachedInfo().Config.Name[len(d.name)+1])))
	if err != nil {
		d.Fatal(err)
	}
	var seqs []uint64
	for subject := range info.State.Subjects {
		msg, err := stream.GetLastMsgForSubject(d.Context(), subject)
		if err != nil {
			d.Fatal(err)
		}
		seqs = append(seqs, msg.Sequence)
	}
	slices.Sort(seqs)
	seq := seqs[len(seqs)-1]
	if !last {
		seq = seqs[d.rnd.IntN(len(seqs))]
	}
	if err := stream.DeleteMsg(d.Context(), seq); err != nil {
		d.Fatal(err)
	}
}

// A loss is done to a store: to its folders while the node is down, which has copies of earlier ones, or by
// the servers.
type loss struct {
	name    string
	folders func(d *damaged, now, before func(stream string) string) error
	servers func(d *damaged)
}

// goBack replaces the folder of a stream by its copy.
func goBack(now, before string) error {
	return errors.Join(os.RemoveAll(now), os.CopyFS(now, os.DirFS(before)))
}

var losses = []loss{
	{name: "what has come after a copy of the shards", folders: func(d *damaged, now, before func(string) string) error {
		return errors.Join(goBack(now("_0"), before("_0")), goBack(now("_1"), before("_1")))
	}},
	{name: "what has come after a copy of all streams", folders: func(d *damaged, now, before func(string) string) error {
		return errors.Join(goBack(now("_0"), before("_0")), goBack(now("_1"), before("_1")), goBack(now("_files"), before("_files")))
	}},
	{name: "the end of each file", folders: func(d *damaged, now, before func(string) string) error {
		for _, stream := range []string{"_0", "_1"} {
			blocks, err := filepath.Glob(filepath.Join(now(stream), "msgs", "*.blk"))
			if err != nil {
				return err
			}
			for _, block := range blocks {
				if info, err := os.Stat(block); err != nil {
					return err
				} else if info.Size() > 200 {
					if err := os.Truncate(block, info.Size()-1-int64(d.rnd.IntN(100))); err != nil {
						return err
					}
				}
			}
			if err := os.RemoveAll(filepath.Join(now(stream), "msgs", "index.db")); err != nil {
				return err
			}
		}
		return nil
	}},
	{name: "any record", servers: func(d *damaged) { d.remove(false) }},
	{name: "the last record", servers: func(d *damaged) { d.remove(true) }},
	{name: "a stream", servers: func(d *damaged) {
		if err := d.admin.DeleteStream(d.Context(), d.stream().CachedInfo().Config.Name); err != nil {
			d.Error(err)
		}
	}},
	{name: "all streams", servers: func(d *damaged) { removeStreams(d, d.admin, d.name) }},
	{name: "what a stream has", servers: func(d *damaged) { again(d.T, d.admin, d.stream().CachedInfo().Config.Name) }},
	{name: "what a stream has, while a host works", servers: func(d *damaged) {
		s, err := jetstream.Open(d.Context(), d.url(), d.o)
		if err != nil {
			d.Fatal(err)
		}
		defer s.Close()
		before := map[string]uint64{}
		for _, shard := range []string{"0", "1"} {
			stream, err := d.admin.Stream(d.Context(), d.name+"_"+shard)
			if err != nil {
				d.Fatal(err)
			}
			before[shard] = stream.CachedInfo().State.LastSeq
			again(d.T, d.admin, d.name+"_"+shard)
		}
		for i := range 8 { // one of them is in a shard that was not empty
			if err = put(d, s, fmt.Sprint("new", i), 10); errors.Is(err, fleet.ErrLost) {
				break
			}
		}
		if !errors.Is(err, fleet.ErrLost) {
			d.Errorf("%s: the host that works has %v, want ErrLost", d.name, err)
		}
		for shard, n := range before { // others write on
			for range n + 5 {
				if _, err := d.admin.Publish(d.Context(), d.name+"."+shard+".x", nil); err != nil {
					d.Fatal(err)
				}
			}
		}
	}},
}

// A store that has lost changes is refused, however few they are, and one beside it that has not is not.
func TestDamagedStarts(t *testing.T) {
	c := Start(t, Options{Nodes: *startsNodes})
	t.Setenv("NATS_SYSTEM", System)
	admin := c.JetStream(t)
	kinds := slices.Clone(losses)
	if *startsNodes > 1 { // whose nodes would repair their folders
		kinds = slices.DeleteFunc(kinds, func(l loss) bool { return l.folders != nil })
	}
	var all []*damaged // the last ones are in order
	healthy := 1 + *startsDamaged/10
	each := func(f func(i int, d *damaged)) {
		var work sync.WaitGroup
		turns := make(chan bool, 8)
		for i, d := range all {
			turns <- true
			work.Go(func() {
				defer func() { <-turns }()
				f(i, d)
			})
		}
		work.Wait()
	}
	for i := range *startsDamaged + healthy {
		all = append(all, &damaged{
			T: t, c: c, admin: admin, name: fmt.Sprint("d", i), o: jetstream.Options{Watermark: filepath.Join(t.TempDir(), "mark")},
			lost: 1 + i/len(kinds)%5, rnd: rand.New(rand.NewPCG(*startsSeed, uint64(i))),
		})
	}
	each(func(_ int, d *damaged) { d.write(10 + d.rnd.IntN(30)) })
	node, before := c.Nodes[0], filepath.Join(t.TempDir(), "copy")
	folder := func(of string, d *damaged) func(string) string {
		return func(stream string) string { return filepath.Join(of, "jetstream/FLEET/streams", d.name+stream) }
	}
	if *startsNodes == 1 {
		node.Stop()
		if err := os.CopyFS(before, os.DirFS(node.Dir)); err != nil {
			t.Fatal(err)
		}
		restart(t, c, node)
	}
	each(func(_ int, d *damaged) { d.write(d.lost) })
	kind := func(i int) loss {
		if i >= *startsDamaged {
			return loss{name: "nothing"}
		}
		return kinds[i%len(kinds)]
	}
	if *startsNodes == 1 {
		node.Stop()
		for i, d := range all {
			if l := kind(i); l.folders != nil {
				if err := l.folders(d, folder(node.Dir, d), folder(before, d)); err != nil {
					t.Fatal(err)
				}
			}
		}
		restart(t, c, node)
	}
	refused := map[string]int{}
	var mu sync.Mutex
	each(func(i int, d *damaged) {
		l := kind(i)
		if l.servers != nil {
			l.servers(d)
		}
		s, err := jetstream.Open(t.Context(), d.url(), d.o)
		if err == nil {
			s.Close()
		}
		lost := errors.Is(err, fleet.ErrLost) || errors.Is(err, fleet.ErrCorrupt)
		if want := i < *startsDamaged; lost != want || !want && err != nil {
			t.Errorf("%s: store %s has lost %s, up to %d changes: Open returns %v", d.name, d.name, l.name, d.lost, err)
		}
		mu.Lock()
		defer mu.Unlock()
		if lost {
			refused[l.name]++
		}
	})
	for _, l := range kinds {
		t.Logf("refused: %d stores that have lost %s", refused[l.name], l.name)
	}
	t.Logf("refused: %d of %d stores that are in order", refused["nothing"], healthy)
}

func restart(t *testing.T, c *Cluster, n *Node) {
	t.Helper()
	err := n.Start()
	if err == nil {
		err = c.Wait(time.Minute)
	}
	if err != nil {
		t.Fatal(err)
	}
}
