package ecmascript_test

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript"
)

func TestEndlessScriptIsStoppedByItsLimit(t *testing.T) {
	h := newHost()
	h.limit = 20 * time.Millisecond
	for _, script := range []string{
		"for (;;) {}",
		"while (true) { try { for (;;) {} } catch (e) {} finally {} }",
		"(function f() { Promise.resolve().then(f) })()",
		"[1].forEach(function () { for (;;) {} })",
		"({ toString() { for (;;) {} } }) + ''",
		"function* g() { for (;;) yield 1 }; for (var x of g()) {}",
		"throw { get message() { for (;;) {} } }",
		"var e = new Error(); e.toString = function () { for (;;) {} }; throw e",
	} {
		st := newStoreOf(t, h)
		start := time.Now()
		e := fails(t, st.Run(expr(datamodel.Script, script)), "the script ran longer than its time limit of 20ms")
		if !errors.Is(e, datamodel.ErrScriptTime) {
			t.Errorf("%s: the cause is %v", script, e.Err)
		}
		if d := time.Since(start); d < h.limit {
			t.Errorf("%s: stopped after %v already", script, d)
		}
		for range 3 {
			st.want("1 + 1", "2") // the interrupt does not stick
		}
	}
	st := newStoreOf(t, h)
	st.want("{get a() { for (;;) {} }}", "! the script ran longer than its time limit of 20ms")
	_, err := st.Condition(expr(datamodel.Condition, "(function () { for (;;) {} })()"))
	fails(t, err, "time limit")
	fails(t, st.Foreach(expr(datamodel.ValueExpr, "(function () { for (;;) {} })()"), "a", "", nil), "time limit")
	st.set("trap", "{set a(v) { for (;;) {} }}")
	fails(t, st.AssignValue(expr(datamodel.Location, "trap.a"), nil), "time limit")
	st.want("1 + 1", "2")
}

func TestScriptsBelowTheLimitAddUp(t *testing.T) {
	h := newHost()
	h.limit = time.Second // on a busy machine a script of 200 µs may take a third of that
	st := newStoreOf(t, h)
	script := expr(datamodel.Script, "for (var i = 0; i < 5000; i++) {}")
	for start := time.Now(); time.Since(start) < h.limit*5/4; {
		if err := st.Run(script); err != nil {
			t.Fatal(err) // each has the limit for itself
		}
	}
}

func TestEndlessScriptIsStoppedByContext(t *testing.T) {
	h := newHost()
	for _, limit := range []time.Duration{0, time.Hour} {
		h.limit = limit
		st, _ := ecmascript.New().NewStore(h)
		cause := errors.New("enough")
		ctx, cancel := context.WithCancelCause(context.Background())
		time.AfterFunc(20*time.Millisecond, func() { cancel(cause) })
		st.Begin(ctx)
		e := fails(t, st.Run(expr(datamodel.Script, "for (;;) {}")), "the script was interrupted: enough")
		if !errors.Is(e, cause) {
			t.Errorf("the cause is %v", e.Err)
		}
		// Within the same bracket nothing runs any more.
		_, err := st.Condition(expr(datamodel.Condition, "true"))
		if fails(t, err, "was not run"); !errors.Is(err, cause) {
			t.Errorf("the cause is %v", err)
		}
		st.End()
		// A done context from the start.
		st.Begin(ctx)
		_, err = st.Condition(expr(datamodel.Condition, "true"))
		fails(t, err, "was not run")
		st.End()
		// Another one, and the store is as it was.
		st.Begin(context.Background())
		if b, err := st.Condition(expr(datamodel.Condition, "true")); err != nil || !b {
			t.Errorf("got %v, %v", b, err)
		}
		st.End()
	}
}

// What takes no runtime is not watched: it looks at the context itself, for the
// first in a bracket and then now and then.
func TestSimpleExpressionsSeeTheContext(t *testing.T) {
	st, _ := ecmascript.New().NewStore(newHost())
	e, cause := expr(datamodel.Condition, "1 < 2"), errors.New("enough")
	for before := range 40 {
		st.Begin(context.Background()) // another bracket, which does not count
		if _, err := st.Condition(e); err != nil {
			t.Fatal(err)
		}
		st.End()
		ctx, cancel := context.WithCancelCause(context.Background())
		st.Begin(ctx)
		for range before {
			if _, err := st.Condition(e); err != nil {
				t.Fatal(err)
			}
		}
		cancel(cause)
		more, most := 0, 15
		if before == 0 {
			most = 0
		}
		var err error
		for ; err == nil && more <= most; more++ {
			_, err = st.Condition(e)
		}
		if !errors.Is(err, cause) {
			t.Errorf("cancelled after %d, %d more continue: %v", before, more, err)
		}
		if _, err := st.Condition(e); !errors.Is(err, cause) {
			t.Errorf("cancelled after %d, and one that follows a refusal continues: %v", before, err)
		}
		st.End()
	}
}

// Interrupts that come too late must not hit what follows.
func TestLateInterrupt(t *testing.T) {
	h := newHost()
	h.limit = 4 * time.Millisecond
	st, _ := ecmascript.New().NewStore(h)
	long := expr(datamodel.Script, "for (var i = 0; i < 60000; i++) {}") // about as long as the limit
	short := expr(datamodel.ValueExpr, "1 + 1")
	stopped := 0
	for start := time.Now(); time.Since(start) < 500*time.Millisecond; {
		st.Begin(context.Background())
		if st.Run(long) != nil {
			stopped++
		}
		for range 3 {
			if v, err := st.Value(short); err != nil || v != int64(2) {
				t.Fatalf("got %v, %v", v, err)
			}
		}
		st.End()
	}
	t.Logf("stopped %d times", stopped)
}

func TestNothingIsLeftRunning(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st, _ := ecmascript.New().NewStore(newHost())
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		for range 3 {
			st.Begin(ctx)
			if v, err := st.Value(expr(datamodel.ValueExpr, "1 + 1")); err != nil || v != int64(2) {
				t.Errorf("got %v, %v", v, err)
			}
			time.Sleep(time.Minute) // ticks that find nothing
			st.End()
			time.Sleep(time.Minute)
		}
		synctest.Wait()
	})
	before := runtime.NumGoroutine()
	st, _ := ecmascript.New().NewStore(newHost())
	ctx, cancel := context.WithCancel(context.Background())
	st.Begin(ctx)
	_, _ = st.Value(expr(datamodel.ValueExpr, "1"))
	time.Sleep(20 * time.Millisecond)
	st.End()
	cancel()
	if n := runtime.NumGoroutine(); n > before {
		t.Errorf("%d goroutines more", n-before)
	}
}
