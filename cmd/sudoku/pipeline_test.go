package main

import (
	"context"
	"errors"
	"iter"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
)

// upTo yields the numbers below n, and then an error if there is one.
func upTo(n int, err error) iter.Seq2[int, error] {
	return func(yield func(int, error) bool) {
		for i := range n {
			if !yield(i, nil) {
				return
			}
		}
		if err != nil {
			yield(0, err)
		}
	}
}

// squares is a pipeline that puts squares into got.
func squares(size int, got *[]int) *pipeline[int, int] {
	return &pipeline[int, int]{
		size: size,
		work: func() func(context.Context, *int) int {
			return func(_ context.Context, n *int) int { return *n * *n }
		},
		result: func(_ *int, square int) error {
			*got = append(*got, square)
			return nil
		},
		flush: func() error { return nil },
	}
}

func TestPipelineKeepsTheOrder(t *testing.T) {
	failure := errors.New("the items have failed")
	for _, n := range []int{0, 1, 2, 99, 5000} {
		for _, size := range []int{1, 7, 1024} {
			for _, end := range []error{nil, failure} {
				var got, want []int
				for i := range n {
					want = append(want, i*i)
				}
				if err := squares(size, &got).run(t.Context(), upTo(n, end)); err != end {
					t.Errorf("%d items, batches of %d: got error %v, want %v", n, size, err, end)
				}
				if !slices.Equal(got, want) {
					t.Errorf("%d items, batches of %d: got %v", n, size, got)
				}
			}
		}
	}
}

// Everything read is processed before waiting for more.
func TestPipelineDoesNotWait(t *testing.T) {
	answered := make(chan int)
	p := squares(100, new([]int))
	p.result = func(n *int, _ int) error {
		answered <- *n
		return nil
	}
	items := func(yield func(int, error) bool) {
		for i := range 50 {
			if !yield(i, nil) {
				return
			}
			p.send(t.Context()) // as the reader does before it waits
			if got := <-answered; got != i {
				t.Errorf("got the answer of %d, want %d", got, i)
			}
		}
	}
	if err := p.run(t.Context(), items); err != nil {
		t.Fatal(err)
	}
}

func TestPipelineEndsEarly(t *testing.T) {
	failure := errors.New("enough")
	var got []int
	p := squares(3, &got)
	p.result = func(n *int, square int) error {
		if got = append(got, square); *n == 1000 {
			return failure
		}
		return nil
	}
	var read atomic.Int64
	endless := func(yield func(int, error) bool) {
		for i := 0; yield(i, nil); i++ {
			read.Add(1)
		}
	}
	if err := p.run(t.Context(), endless); err != failure || len(got) != 1001 {
		t.Errorf("got %d results and %v", len(got), err)
	}
	if n := read.Load(); n > 100_000 {
		t.Errorf("%d items were read for 1001 results", n)
	}

	ctx, cancel := context.WithCancelCause(t.Context())
	p = squares(3, &got)
	p.result = func(n *int, _ int) error {
		if *n == 1000 {
			cancel(failure)
		}
		return nil
	}
	if err := p.run(ctx, endless); err != failure {
		t.Errorf("got %v, want the cause of the context", err)
	}
}

// If the context ends the items, run says so.
func TestPipelineCancelledIsNotComplete(t *testing.T) {
	interrupted := errors.New("interrupted")
	for range 100 { // it was a matter of chance
		ctx, cancel := context.WithCancelCause(t.Context())
		ended := make(chan struct{})
		p := squares(1, new([]int))
		p.result = func(*int, int) error {
			cancel(interrupted)
			<-ended
			runtime.Gosched() // to the reader, which now says that there is nothing more
			return nil
		}
		items := func(yield func(int, error) bool) {
			defer close(ended)
			if yield(0, nil) {
				<-ctx.Done()
				yield(1, nil)
			}
		}
		if err := p.run(ctx, items); err != interrupted {
			t.Fatalf("got %v, want the cause of the context", err)
		}
	}
}
