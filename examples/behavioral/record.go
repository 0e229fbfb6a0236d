package behavioral

import (
	"hash/maphash"
	"slices"
	"sync"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// A record is one state of a b-thread: the state of its session, and the bids that hold there. It is
// immutable and shared by all forks of a program.
type record struct {
	number int
	key    string
	state  []byte
	bids   *bidSet
	config []string // names of the active states, or the final one
	final  bool
	hash   [2]uint64
}

// A bidSet has the bids that hold in a state. The b-threads of a chart share those that are equal, of which
// there are far fewer than states. It is immutable.
type bidSet struct{ list []bid }

// bidsKey is the key of a bidSet: that of its bids does not say to which chart their states belong.
type bidsKey struct {
	chart *scxml.Chart
	bids  string
}

// records are the states of the b-threads that were found so far.
type records struct {
	seeds [2]maphash.Seed

	mu    sync.Mutex
	byKey []map[string]*record // by b-thread
	list  [][]*record
	size  int // how many there are
	bids  map[bidsKey]*bidSet
}

func newRecords(threads int) *records {
	return &records{
		seeds: [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()},
		byKey: make([]map[string]*record, threads), list: make([][]*record, threads), bids: make(map[bidsKey]*bidSet),
	}
}

// enter returns the record of a b-thread with the given key. If there is none, it enters the one that
// newRecord returns.
func (rs *records) enter(thread int, key []byte, newRecord func() (*record, error)) (*record, error) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	if rec, ok := rs.byKey[thread][string(key)]; ok {
		return rec, nil
	}
	rec, err := newRecord()
	if err != nil {
		return nil, err
	}
	rec.key = string(key)
	rec.number = len(rs.list[thread])
	for i, seed := range rs.seeds {
		var h maphash.Hash
		h.SetSeed(seed)
		maphash.WriteComparable(&h, thread)
		h.Write(key)
		rec.hash[i] = h.Sum64()
	}
	if rs.byKey[thread] == nil {
		rs.byKey[thread] = make(map[string]*record)
	}
	rs.byKey[thread][rec.key] = rec
	rs.list[thread] = append(rs.list[thread], rec)
	rs.size++
	return rec, nil
}

// bidSet returns the set of some bids, which have a key. Only enter may call it, through newRecord.
func (rs *records) bidSet(bids []bid, key bidsKey) *bidSet {
	set, ok := rs.bids[key]
	if !ok {
		set = &bidSet{slices.Clone(bids)}
		rs.bids[key] = set
	}
	return set
}

// at returns a record by number, or nil.
func (rs *records) at(thread, number int) *record {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	if number >= len(rs.list[thread]) {
		return nil
	}
	return rs.list[thread][number]
}

// count returns how many records there are.
func (rs *records) count() int {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	return rs.size
}
