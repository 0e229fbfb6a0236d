package explore

import (
	"context"
	"math"
	"runtime/metrics"
	"time"
)

// A boundError ends a search that has reached the bound of this name, or "" for one that was told to end.
type boundError string

func (b boundError) Error() string { return "the bound of " + string(b) + " is reached" }

// stopped returns the bound that has ended a context.
func stopped(ctx context.Context) boundError {
	if b, ok := context.Cause(ctx).(boundError); ok {
		return b
	}
	return boundError("time")
}

// What a search may take at the least, whatever Options.MaxMemory says.
const (
	leastHeap    = 16 << 20
	leastVisit   = 1 << 20
	leastPending = 100
)

// maxPending is how many delayed events may be pending in a state: a zone of n has n² bounds.
const maxPending = 1000

// pendingIn returns how many may be pending in a search with so much memory.
func pendingIn(memory int64) int {
	if memory == 0 {
		return maxPending
	}
	return max(leastPending, min(maxPending, int(math.Sqrt(float64(memory)/1024))))
}

// visitIn returns what the visit of one state may take in a search with so much memory.
func visitIn(memory int64) int64 {
	if memory == 0 {
		return math.MaxInt64
	}
	return max(leastVisit, memory/16)
}

// WithinMemory returns a context that ends when what the heap of the process keeps has grown by nearly so many
// bytes, 0 for no bound. A search is in such a context, so that it ends too if the code of a chart takes the
// memory. Call the function that it returns at the end.
func WithinMemory(ctx context.Context, memory int64) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	if memory > 0 {
		most := kept() + max(leastHeap, memory-memory/10)
		go func() {
			tick := time.NewTicker(5 * time.Millisecond)
			defer tick.Stop()
			for {
				select {
				case <-ctx.Done():
					return
				case <-tick.C:
					if kept() > most {
						cancel(boundError("memory"))
					}
				}
			}
		}()
	}
	return ctx, func() { cancel(nil) }
}

// kept returns how many bytes of the heap were in use at the last garbage collection.
func kept() int64 {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	return int64(live[0].Value.Uint64())
}

// A store is a slice that grows without being copied.
type store[T any] struct {
	parts [][]T
	size  int
}

const partSize = 1 << 14

func (s *store[T]) add(v T) {
	if s.size%partSize == 0 {
		s.parts = append(s.parts, make([]T, 0, partSize))
	}
	last := &s.parts[len(s.parts)-1]
	*last = append(*last, v)
	s.size++
}

func (s *store[T]) at(i int32) *T { return &s.parts[i/partSize][i%partSize] }
