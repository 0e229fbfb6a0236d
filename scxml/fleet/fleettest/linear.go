package fleettest

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/scxmlrun/scxmlrun/scxml/fleet"
)

// A call is a Load, or a Commit if change is set.
type call struct {
	key    string
	change bool
	old    uint64
	remove bool
	body   string
}

// A result is what a call returned.
type result struct {
	err      string // "", "not found", "conflict", or unknown
	revision uint64
	body     string
}

// unknown is the error of a Commit that may have happened, or not, or will happen.
const unknown = "unknown"

// open is the revision of a record that such a Commit has stored, until somebody sees it.
const open = math.MaxUint64

// cell is the state of a key: what Load returns, and the highest revision so far.
type cell struct {
	revision, last uint64
	body           string
}

// register is a record as porcupine sees it.
var register = porcupine.Model{
	Partition: func(history []porcupine.Operation) [][]porcupine.Operation {
		var parts [][]porcupine.Operation
		at := map[string]int{}
		for _, op := range history {
			key := op.Input.(call).key
			i, ok := at[key]
			if !ok {
				i = len(parts)
				at[key], parts = i, append(parts, nil)
			}
			parts[i] = append(parts[i], op)
		}
		return parts
	},
	Init: func() any { return cell{} },
	Step: func(state, input, output any) (bool, any) {
		s, in, out := state.(cell), input.(call), output.(result)
		switch {
		case !in.change && s.revision == 0:
			return out.err == "not found", s
		case !in.change && s.revision == open:
			return out.err == "" && out.body == s.body && out.revision > s.last, cell{out.revision, out.revision, s.body}
		case !in.change:
			return out == result{revision: s.revision, body: s.body}, s
		case in.old != s.revision:
			return out.err == "conflict" || out.err == unknown, s
		case in.remove:
			return out.err == "" || out.err == unknown, cell{last: s.last}
		case out.err == unknown: // if it has not happened, it can be placed after all others, where nobody sees it
			return true, cell{open, s.last, in.body}
		}
		return out.err == "" && out.revision > s.last, cell{out.revision, out.revision, in.body}
	},
	DescribeOperation: func(input, output any) string { return fmt.Sprintf("%+v → %+v", input, output) },
}

// testLinearizable has goroutines load, swap, delete and create three records at once, and lets
// porcupine search for an order of these calls, one after another, that explains all results.
func testLinearizable(t *testing.T, k Kit) {
	const workers, calls = 16, 100
	s := k.open(t)
	histories := make([][]porcupine.Operation, workers)
	begin := time.Now()
	var all sync.WaitGroup
	for w := range workers {
		all.Go(func() {
			rnd := rand.New(rand.NewPCG(23, uint64(w)))
			known := map[string]uint64{} // revisions that this worker has seen
			for i := range calls {
				in := call{key: fmt.Sprint("k", rnd.IntN(3))}
				var out result
				start := time.Since(begin)
				if rnd.IntN(2) == 0 {
					rec, err := s.Load(t.Context(), in.key)
					if out.err = kind(err); out.err == unknown {
						t.Error(err)
						return
					} else if err == nil {
						out.revision, out.body = rec.Revision, string(rec.Body)
					}
				} else {
					in.change, in.old, in.body = true, known[in.key], fmt.Sprint(w, " ", i)
					c := fleet.Change{Key: in.key, Old: in.old, New: &fleet.Record{Key: in.key, Body: []byte(in.body)}}
					if in.old != 0 && rnd.IntN(4) == 0 {
						in.remove, c.New = true, nil
					}
					out.err = kind(commit(s, c))
					if out.err == "" && c.New != nil {
						out.revision = c.New.Revision
					}
				}
				op := porcupine.Operation{ClientId: w, Input: in, Call: int64(start), Output: out, Return: int64(time.Since(begin))}
				if out.err == unknown {
					op.Return = math.MaxInt64
				}
				histories[w] = append(histories[w], op)
				if out.err != "conflict" && out.err != unknown {
					known[in.key] = out.revision
				}
			}
		})
	}
	all.Wait()
	var history []porcupine.Operation
	swaps, unclear := 0, 0
	for _, h := range histories {
		history = append(history, h...)
		for _, op := range h {
			if op.Input.(call).change && op.Output.(result).err == "" {
				swaps++
			}
			if op.Output.(result).err == unknown {
				unclear++
			}
		}
	}
	switch res := porcupine.CheckOperationsTimeout(register, history, time.Minute); {
	case res != porcupine.Ok:
		t.Errorf("porcupine finds no order that explains %d calls: %v", len(history), res)
	case unclear > len(history)/20:
		t.Errorf("of %d calls %d have no known outcome, although nothing fails", len(history), unclear)
	case swaps < calls/10:
		t.Errorf("of %d calls %d have changed something: too few to tell", len(history), swaps)
	}
}

func kind(err error) string {
	switch {
	case err == nil:
		return ""
	case errors.Is(err, fleet.ErrNotFound):
		return "not found"
	case errors.Is(err, fleet.ErrConflict):
		return "conflict"
	}
	return unknown
}
