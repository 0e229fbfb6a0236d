package isolate_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/isolate"
)

// Each thread of a child takes short turns, if Linux knows about them.
func TestChildTakesShortTurns(t *testing.T) {
	own, err := unix.SchedGetAttr(0, 0)
	if err != nil || own.Runtime == 0 {
		t.Skip("before Linux 6.12 turns have one length")
	}
	s := begin(t, newPool(t, isolate.Config{}), isolate.Spec{Source: document(counter)})
	do(t, s, start, "t", nil)
	threads, err := os.ReadDir(filepath.Join("/proc", strconv.Itoa(s.Tenant().PID()), "task"))
	if err != nil || len(threads) == 0 {
		t.Fatalf("%d threads, %v", len(threads), err)
	}
	for _, thread := range threads {
		id, err := strconv.Atoi(thread.Name())
		if err != nil {
			t.Fatal(err)
		}
		if attr, err := unix.SchedGetAttr(id, 0); err != nil || attr.Runtime != uint64(100*time.Microsecond) || attr.Nice != own.Nice {
			t.Errorf("thread %d: %+v, %v", id, attr, err)
		}
	}
}

// A child that works long for one request yields to all others; one that waits, or works in short
// requests, does not.
func TestYield(t *testing.T) {
	wait := scxml.InvokerFunc(func(context.Context, *scxml.Invocation) (any, error) {
		time.Sleep(100 * time.Millisecond)
		return nil, nil
	})
	s := begin(t, newPool(t, isolate.Config{}), isolate.Spec{Source: document(`
<state id="a"><transition event="wait" target="b"/><transition event="work"><script>for (var t = Date.now(); Date.now() - t &lt; 200;);</script></transition></state>
<state id="b"><invoke type="wait"/><transition event="done.invoke" target="a"/></state>`)}, scxml.WithInvoker("wait", wait))
	nice := func() int32 {
		attr, err := unix.SchedGetAttr(s.Tenant().PID(), 0)
		if err != nil {
			t.Fatal(err)
		}
		return attr.Nice
	}
	own := nice()
	for range 1000 {
		do(t, s, start, "nothing", nil)
	}
	do(t, s, start, "wait", nil)
	if err := s.Advance(t.Context(), start.Add(time.Second)); err != nil {
		t.Fatal(err)
	}
	if nice() != own {
		t.Errorf("after short work and waiting its priority is %d, and was %d", nice(), own)
	}
	do(t, s, start, "work", nil)
	if nice() != 19 {
		t.Errorf("after long work its priority is %d, want 19", nice())
	}
}

// A child grants itself a minute of processor time for each request, and ends when the kernel says
// that it is over, whatever its parent does. The test does not wait: it says so itself.
func TestProcessorTime(t *testing.T) {
	var s *isolate.Session
	var granted unix.Rlimit
	s = begin(t, newPool(t, isolate.Config{Deadline: time.Hour}), isolate.Spec{
		Source: document(`<state id="a"><transition event="go"><script>begun(); ` + hang + `</script></transition></state>`),
	}, scxml.WithFunc("begun", func() error {
		pid := s.Tenant().PID()
		return errors.Join(unix.Prlimit(pid, unix.RLIMIT_CPU, nil, &granted), unix.Kill(pid, unix.SIGXCPU))
	}))
	_, err := s.Do(t.Context(), start, scxml.Event{Name: "go"})
	var died *isolate.Error
	if !errors.As(err, &died) || died.Reason != isolate.Deadline || died.Msg != "it used too much processor time" {
		t.Errorf("%v", err)
	}
	if granted.Cur < 60 || granted.Cur > 70 {
		t.Errorf("the child has granted itself %d s: want a minute, and what it had used", granted.Cur)
	}
}
