package index

import (
	"context"
	"iter"
	"slices"
	"strings"
	"time"
)

// Lists are the methods of a store that its index answers.
type Lists struct {
	with func(ctx context.Context, f func(*Index)) error
}

// NewLists returns the lists of a store with a function that calls f while the index does not change, and
// fails if ctx is done or the store is closed.
func NewLists(with func(ctx context.Context, f func(*Index)) error) Lists { return Lists{with} }

// Due is [fleet.Store.Due].
func (l Lists) Due(ctx context.Context, now time.Time, n int) (keys []string, next time.Time, err error) {
	err = l.with(ctx, func(x *Index) {
		due, at := x.Due(now.UnixNano(), n)
		keys, next = due, Time(at)
	})
	return keys, next, err
}

// Pending is [fleet.Store.Pending].
func (l Lists) Pending(ctx context.Context, after string, n int) (keys []string, err error) {
	err = l.with(ctx, func(x *Index) { keys = x.Pending(after, n) })
	return keys, err
}

// Len is [fleet.Counter.Len].
func (l Lists) Len(ctx context.Context) (n int, err error) {
	err = l.with(ctx, func(x *Index) { n = x.Len() })
	return n, err
}

// WithPrefix returns the names that begin with a prefix, in ascending order.
func WithPrefix(all iter.Seq[string], prefix string) (names []string) {
	for name := range all {
		if strings.HasPrefix(name, prefix) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
