//go:build unix

package isolate_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/isolate"
)

func frame(kind byte, payload string) string {
	var head [4]byte
	binary.BigEndian.PutUint32(head[:], uint32(len(payload)+1))
	return string(head[:]) + string(kind) + payload
}

const hello = `{"Protocol":1}`

// impostor is a program that answers the first request with the given bytes, and then what the
// script says.
func impostor(t *testing.T, greeting, answer, then string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"greeting": greeting, "answer": answer,
		"child": "#!/bin/sh\n/bin/cat " + dir + "/greeting\n/bin/dd bs=1 count=5 >/dev/null 2>&1\n/bin/cat " + dir + "/answer\n" + then + "\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "child")
}

// Whatever a child sends, its parent gets an error of the kind that it is, in time, and ends the
// child.
func TestChildSendsAnything(t *testing.T) {
	const wait = "exec /bin/sleep 1000"
	record := frame('r', `{"type":"log","seq":1,"time_ms":0,"session":"x","label":"","value":"`+strings.Repeat("x", 1000)+`"}`)
	for name, c := range map[string]struct {
		answer, then string
		reason       isolate.Reason
	}{
		"silence":                    {"", wait, isolate.Deadline},
		"half a frame":               {"\x00\x00\x00\x09a{", wait, isolate.Deadline},
		"half a frame and an end":    {"\x00\x00\x00\x09a{", "", isolate.Protocol},
		"an end":                     {"", "exit 3", isolate.Crash},
		"last words":                 {"", "echo fatal error: out of memory >&2; exit 2", isolate.Memory},
		"a closed pipe":              {"", "exec >&-; " + wait, isolate.Protocol},
		"a frame of 4 GB":            {"\xff\xff\xff\xffa", wait, isolate.Protocol},
		"a frame without a kind":     {"\x00\x00\x00\x00a", wait, isolate.Protocol},
		"an unknown kind":            {frame('z', "{}"), wait, isolate.Protocol},
		"an answer that is not JSON": {frame('a', "{"), wait, isolate.Protocol},
		"an answer of wrong types":   {frame('a', `{"ID":"1"}`), wait, isolate.Protocol},
		"an answer to another":       {frame('a', `{"ID":99}`), wait, isolate.Protocol},
		"nothing about the document": {frame('a', `{"ID":1}`), wait, isolate.Protocol},
		"an aside to nothing":        {frame('b', `{"ID":1}`), wait, isolate.Protocol},
		"a task of no type":          {frame('a', `{"ID":1,"Out":{},"State":{"Tasks":[{"id":1,"kind":"send","message":{"delay":"0s","type":"x","event":{"name":"e"}}}]}}`), wait, isolate.Protocol},
		"a task of a strange type":   {frame('a', `{"ID":1,"Out":{},"State":{"Tasks":[{"id":1,"kind":"invoke","service":{"type":"x"}}]}}`), wait, isolate.Protocol},
		"a task that is none":        {frame('a', `{"ID":1,"Out":{},"State":{"Tasks":[{"id":1,"kind":"send","message":{"delay":"0s","event":{"name":"e","data":{"$number":1}}}}]}}`), wait, isolate.Protocol},
		"a task without a kind":      {frame('a', `{"ID":1,"Out":{},"State":{"Tasks":[{"id":1}]}}`), wait, isolate.Protocol},
		"a chart that is none":       {frame('a', `{"ID":1,"Out":[]}`), wait, isolate.Protocol},
		"a record that is none":      {frame('r', `{"type":1}`), wait, isolate.Protocol},
		"a call that is none":        {frame('c', `load []`), wait, isolate.Protocol},
		"records without end":        {strings.Repeat(record, 10), "while true; do /bin/cat ${0%child}answer; done", isolate.Protocol},
		"a note that is none":        {frame('s', `wake 3`), wait, isolate.Protocol},
		"notes without end":          {strings.Repeat(frame('s', `wake {"Session":7}`), 100), "while true; do /bin/cat ${0%child}answer; done", isolate.Protocol},
		"a service that is none":     {frame('s', `invoke {"Service":1,"Session":1,"Task":{"kind":"invoke","service":{"type":"x"}}}`), wait, isolate.Protocol},
		"a service without a task":   {frame('s', `invoke {"Service":1,"Session":1}`), wait, isolate.Protocol},
		"a service with odd params":  {frame('s', `invoke {"Service":1,"Session":1,"Task":{"kind":"invoke","service":{"type":"x","params":7}}}`), wait, isolate.Protocol},
		"a service of no session":    {frame('s', `invoke {"Service":1,"Session":9,"Task":{"kind":"invoke","service":{"type":"x"}}}`), wait, isolate.Protocol},
		"calls of what there is not": {frame('c', `func {"In":{"Name":"x"}}`) + frame('c', `load {"In":"/etc/passwd"}`), wait, isolate.Deadline},
		"an unknown call":            {frame('c', `frobnicate {}`), wait, isolate.Protocol},
		"a call of wrong types":      {frame('c', `load {"In":{}}`), wait, isolate.Protocol},
	} {
		t.Run(name, func(t *testing.T) {
			// A file that is being written while another test forks cannot be executed.
			program := impostor(t, frame('h', hello), c.answer, c.then)
			t.Parallel()
			deadline := time.Minute // longer than any bound needs to be reached
			if c.reason == isolate.Deadline {
				deadline = time.Second
			}
			pool := newPool(t, isolate.Config{Program: program, Deadline: deadline, Message: 64 << 10})
			_, err := pool.New(context.Background(), isolate.Spec{Name: "x.scxml", Source: document(door)})
			var died *isolate.Error
			if !errors.As(err, &died) || died.Reason != c.reason {
				t.Errorf("got %v, want %v", err, c.reason)
			}
		})
	}
}

// A program that does not call Child is not taken for a child.
func TestProgramIsNotAChild(t *testing.T) {
	for name, greeting := range map[string]string{
		"text": "usage: frobnicate FILE\n", "another version": frame('h', `{"Protocol":99}`), "another message": frame('a', hello),
	} {
		_, err := isolate.NewPool(isolate.Config{Program: impostor(t, greeting, "", "exit")})
		if err == nil || !strings.Contains(err.Error(), "does its main call isolate.Child first?") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := isolate.NewPool(isolate.Config{Program: "/nowhere/to/be/found"}); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// A system that cannot limit a child has no wall, unless that is accepted.
func TestMissingLimits(t *testing.T) {
	program := impostor(t, frame('h', `{"Protocol":1,"Missing":["the memory: not here"]}`), "", "exit")
	if _, err := isolate.NewPool(isolate.Config{Program: program}); !errors.Is(err, isolate.ErrNoLimit) || !strings.Contains(err.Error(), "cannot limit the memory: not here") {
		t.Error(err)
	}
	newPool(t, isolate.Config{Program: program, BestEffort: true})
}

// What kills a child at any moment leaves its parent with an error that says so, and nothing else:
// no goroutine, no open file, no process.
func TestKilledChild(t *testing.T) {
	pool := newPool(t, isolate.Config{Spare: 1})
	warmUp, err := pool.Tenant(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	warmUp.Close()
	goroutines, files := runtime.NumGoroutine(), openFiles(t)
	rounds := 20
	if testing.Short() {
		rounds = 5
	}
	for range rounds {
		tenant, err := pool.Tenant(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		after := time.Duration(rand.IntN(20_000)) * time.Microsecond
		killed := time.AfterFunc(after, func() { _ = syscall.Kill(tenant.PID(), syscall.SIGKILL) })
		for {
			var s *isolate.Session
			s, err = tenant.New(t.Context(), isolate.Spec{Name: "c.scxml", Source: document(counter)},
				scxml.WithFunc("f", func() int { return 1 }))
			if err == nil {
				err = s.Start(t.Context())
			}
			for i := 0; err == nil && i < 50; i++ {
				if i%2 == 0 {
					err = s.Send(tick)
				}
				if err == nil {
					_, err = s.Do(t.Context(), start, tick)
				}
				if err == nil && i%10 == 0 {
					_, err = s.Snapshot(t.Context())
				}
			}
			if err != nil {
				break
			}
		}
		killed.Stop()
		var died *isolate.Error
		if !errors.As(err, &died) || died.Reason != isolate.Killed {
			t.Fatalf("killed after %v: %v", after, err)
		}
		if !errors.Is(tenant.Err(), died) {
			t.Errorf("the tenant says %v", tenant.Err())
		}
		<-tenant.Done()
	}
	until(t, func() string {
		if now := runtime.NumGoroutine(); now > goroutines+2 { // a spare child may be starting
			return fmt.Sprintf("%d goroutines, %d before", now, goroutines)
		}
		if now := openFiles(t); now > files+2 {
			return fmt.Sprintf("%d open files, %d before", now, files)
		}
		return ""
	})
}

func openFiles(t *testing.T) int {
	entries, err := os.ReadDir("/dev/fd")
	if err != nil {
		t.Skip("no /dev/fd to count the open files")
	}
	return len(entries)
}

// until waits for a condition that other goroutines are about to fulfil.
func until(t *testing.T, problem func() string) {
	deadline := time.Now().Add(30 * time.Second)
	for problem() != "" {
		if time.Now().After(deadline) {
			t.Fatal(problem())
		}
		runtime.Gosched()
	}
}

// A pool that is closed leaves no process, whatever its children do.
func TestCloseKillsAll(t *testing.T) {
	pool, err := isolate.NewPool(isolate.Config{Spare: 2, Deadline: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	s := begin(t, pool, isolate.Spec{Source: document(`<state id="a"><transition event="go"><script>` + hang + `</script></transition></state>`)})
	result := make(chan error)
	go func() {
		_, err := s.Do(context.Background(), start, scxml.Event{Name: "go"})
		result <- err
	}()
	pid := s.Tenant().PID()
	pool.Close()
	var died *isolate.Error
	if err := <-result; !errors.As(err, &died) || died.Reason != isolate.Closed {
		t.Error(err)
	}
	if err := syscall.Kill(pid, 0); err != syscall.ESRCH {
		t.Errorf("the child is still there: %v", err)
	}
	if _, err := pool.Tenant(context.Background()); !errors.As(err, &died) || died.Reason != isolate.Closed {
		t.Error(err)
	}
}

// A child has nothing of its parent's environment but the time zone, and cannot open anything.
func TestChildIsBare(t *testing.T) {
	if _, err := time.LoadLocation("Asia/Tokyo"); err != nil {
		t.Skip(err)
	}
	t.Setenv("TZ", "Asia/Tokyo")
	t.Setenv("SECRET", "x")
	inherited := filepath.Join(t.TempDir(), "inherited")
	if err := os.WriteFile(inherited, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	open, err := syscall.Open(inherited, syscall.O_RDONLY, 0) // without O_CLOEXEC
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(open)
	pool := newPool(t, isolate.Config{})
	s := begin(t, pool, isolate.Spec{Source: document(counter)})
	if v, err := s.Get(t.Context(), "new Date(0).getTimezoneOffset()"); v != int64(-540) || err != nil {
		t.Errorf("%v, %v", v, err)
	}
	if runtime.GOOS != "linux" {
		return
	}
	proc := fmt.Sprintf("/proc/%d/", s.Tenant().PID())
	env, err := os.ReadFile(proc + "environ")
	if want := fmt.Sprintf("SCXML_ISOLATE_CHILD=%d TZ=Asia/Tokyo\x00", isolate.DefaultMemory); string(env) != want || err != nil {
		t.Errorf("environment %q, %v, want %q", env, err, want)
	}
	files, err := os.ReadDir(proc + "fd")
	if len(files) < 3 || err != nil {
		t.Errorf("open files: %v, %v", files, err)
	}
	for _, f := range files {
		if name, err := os.Readlink(proc + "fd/" + f.Name()); name == inherited || err != nil {
			t.Errorf("file %s is open: %s, %v", f.Name(), name, err)
		}
	}
	limits, err := os.ReadFile(proc + "limits")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"Max open files", "Max file size", "Max core file size"} {
		if _, rest, _ := strings.Cut(string(limits), name); len(strings.Fields(rest)) < 2 || strings.Fields(rest)[0] != "0" || strings.Fields(rest)[1] != "0" {
			t.Errorf("%s is not 0:\n%s", name, limits)
		}
	}
}
