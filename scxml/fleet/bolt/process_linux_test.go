package bolt

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml/fleet"
)

// With childVariable in its environment the test program is another process, which commits events to the
// store in that folder until it is killed, and prints how many were acknowledged.
const childVariable = "SCXMLRUN_TEST_STORE"

func TestMain(m *testing.M) {
	if dir := os.Getenv(childVariable); dir != "" {
		if err := child(dir); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
	}
	os.Exit(m.Run())
}

func child(dir string) error {
	if dir, ok := strings.CutPrefix(dir, "compact "); ok {
		fmt.Println("begins")
		_, _, err := Compact(dir)
		return err
	}
	s, err := Open(dir)
	if err != nil {
		return err
	}
	rec, err := s.Load(context.Background(), "k")
	if errors.Is(err, fleet.ErrNotFound) {
		rec, err = &fleet.Record{Key: "k"}, nil
	}
	for err == nil {
		fmt.Println(rec.Accepted)
		old := rec.Revision
		rec.Accepted++
		err = s.Commit(context.Background(), []fleet.Change{{Key: "k", Old: old, New: rec}})[0]
	}
	return err
}

// start runs a child on a folder until it has acknowledged n events more.
func start(t *testing.T, dir string, n int) (cmd *exec.Cmd, out *bufio.Scanner, last string) {
	t.Helper()
	cmd = exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childVariable+"="+dir)
	pipe, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	out = bufio.NewScanner(pipe)
	for range n {
		if !out.Scan() {
			t.Fatalf("the child ended after %q", last)
		}
		last = out.Text()
	}
	return cmd, out, last
}

// A process that is killed loses nothing that it has acknowledged, and the watermark knows the last of it.
func TestKilledProcess(t *testing.T) {
	dir := t.TempDir()
	for round := range 10 {
		cmd, out, last := start(t, dir, 50)
		cmd.Process.Kill()
		for out.Scan() {
			last = out.Text()
		}
		cmd.Wait()
		mark, err := readWatermark(filepath.Join(dir, watermarkName))
		if err != nil {
			t.Fatal(err)
		}
		report, err := Check(dir)
		if err != nil {
			t.Fatal(err)
		}
		var acknowledged uint64
		fmt.Sscan(last, &acknowledged)
		if acknowledged < 49 || report.Accepted < acknowledged || report.Accepted > acknowledged+1 {
			t.Errorf("round %d: the store has accepted %d events, want %d or the one after", round, report.Accepted, acknowledged)
		}
		if mark.accepted < acknowledged || mark.accepted > report.Accepted {
			t.Errorf("round %d: the watermark counts %d events, want %d to %d", round, mark.accepted, acknowledged, report.Accepted)
		}
	}
}

// A process that is killed while it compacts a store leaves the old database or the new one.
func TestKilledWhileItCompacts(t *testing.T) {
	dir := t.TempDir()
	want := thinned(t, dir)
	path := filepath.Join(dir, DatabaseName)
	size := func(name string) int64 {
		info, err := os.Stat(name)
		if err != nil {
			return -1
		}
		return info.Size()
	}
	was := size(path)
	killed := 0
	for _, at := range []int64{0, 1, 16 << 10, 128 << 10, 1 << 40, 0} {
		cmd, out, _ := start(t, "compact "+dir, 1)
		go func() {
			for size(path+newSuffix) < at && size(path) == was {
				runtime.Gosched()
			}
			cmd.Process.Kill()
		}()
		for out.Scan() {
		}
		if cmd.Wait() != nil {
			killed++
		}
		report, err := Check(dir)
		if err != nil {
			t.Fatalf("killed at %d bytes: %v", at, err)
		}
		t.Logf("killed at %d bytes: the database has %d", at, report.Size)
	}
	if killed == 0 {
		t.Error("no process was killed")
	}
	s := mustOpen(t, dir)
	defer s.Close()
	if diff := difference(mustDump(t, s), want); diff != "" {
		t.Error(diff)
	}
}

// A process that waits for a database while another one replaces it does not get the old one, whose
// name is gone: what it would write there is lost.
func TestReplacedWhileAnotherWaits(t *testing.T) {
	dir := t.TempDir()
	thinned(t, dir)
	path := filepath.Join(dir, DatabaseName)
	db, err := openDB(path, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := copyDB(db, path+newSuffix); err != nil {
		t.Fatal(err)
	}
	opened := make(chan error)
	go func() {
		other, err := openDB(path, false)
		if err == nil {
			other.Close()
		}
		opened <- err
	}()
	for descriptors(path) < 2 {
		runtime.Gosched()
	}
	if err := errors.Join(rename(db, path+newSuffix, path), db.Close()); err != nil {
		t.Fatal(err)
	}
	if err := <-opened; err == nil || !strings.Contains(err.Error(), "another process uses it") {
		t.Errorf("got %v, want that another process uses it", err)
	}
	mustOpen(t, dir).Close()
}

// descriptors returns how often this process has a file open.
func descriptors(path string) (n int) {
	entries, _ := os.ReadDir("/proc/self/fd")
	for _, e := range entries {
		if target, err := os.Readlink("/proc/self/fd/" + e.Name()); err == nil && target == path {
			n++
		}
	}
	return n
}

func TestTwoProcesses(t *testing.T) {
	dir := t.TempDir()
	cmd, _, _ := start(t, dir, 2)
	for name, try := range map[string]func() error{
		"Open":  func() error { _, err := Open(dir); return err },
		"Check": func() error { _, err := Check(dir); return err },
	} {
		if err := try(); !errors.Is(err, fleet.ErrUnavailable) || !strings.Contains(err.Error(), "another process uses it") {
			t.Errorf("%s returns %v, want that another process uses the store", name, err)
		}
	}
	cmd.Process.Kill()
	cmd.Wait()
	mustOpen(t, dir).Close()
}

// asNobody calls f without the rights of root on files, which are those of a thread.
func asNobody(t *testing.T, f func()) {
	if os.Getuid() == 0 {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		if err := syscall.Setfsuid(65534); err != nil {
			t.Fatal(err)
		}
		defer syscall.Setfsuid(0)
	}
	f()
}

func TestReadOnlyStore(t *testing.T) {
	dir, _ := filled(t)
	path := filepath.Join(dir, DatabaseName)
	for _, name := range []string{dir, path} {
		info, err := os.Stat(name)
		if err == nil {
			err = os.Chmod(name, info.Mode()&^0o222|0o444)
		}
		if err != nil {
			t.Fatal(err)
		}
		defer os.Chmod(name, info.Mode())
	}
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(dir, watermarkName), 0o444); err != nil {
		t.Fatal(err)
	}
	asNobody(t, func() {
		if _, err := Open(dir); !errors.Is(err, os.ErrPermission) || !strings.Contains(err.Error(), path) {
			t.Errorf("Open returns %v, want that %q may not be written", err, path)
		}
		if report, err := Check(dir); err != nil || report.Sessions == 0 {
			t.Errorf("Check returns %v, %v; want a report", report, err)
		}
	})
}

// A sync that fails leaves the outcome open: what the store says afterwards is what a restart finds.
func TestFailingSync(t *testing.T) {
	dir := memDir(t)
	s := mustOpen(t, dir)
	sc := newScript(s, 10)
	for range 20 {
		if err := sc.step(); err != nil {
			t.Fatal(err)
		}
	}
	// bbolt syncs by the number of its file. Another file under this number makes sync fail.
	fd := descriptor(t, filepath.Join(dir, DatabaseName))
	saved, err := syscall.Dup(fd)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(saved)
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	original := *writeAt(t, s)
	happened := 0
	for step := range 40 {
		before := mustDump(t, s)
		*writeAt(t, s) = func(b []byte, off int64) (int, error) {
			n, err := original(b, off)
			if onMeta := off <= pageSize; err == nil && onMeta == (step%2 == 0) {
				err = syscall.Dup3(int(null.Fd()), fd, 0)
				original = func(b []byte, off int64) (int, error) { return len(b), nil }
			}
			return n, err
		}
		failed := sc.step()
		*writeAt(t, s) = func(b []byte, off int64) (int, error) { return syscall.Pwrite(saved, b, off) }
		original = *writeAt(t, s)
		if err := syscall.Dup3(saved, fd, 0); err != nil {
			t.Fatal(err)
		}
		if failed == nil {
			t.Fatalf("step %d: the commit succeeds although the sync fails", step)
		}
		after := mustDump(t, s)
		if difference(before, after) != "" {
			happened++
		}
		sc.relearn(t)
		if err := sc.step(); err != nil {
			t.Fatalf("step %d: the store is not usable after a failed sync: %v", step, err)
		}
	}
	if happened == 0 || happened == 40 {
		t.Errorf("of 40 commits whose sync failed %d happened: too few kinds to tell", happened)
	}
	want := mustDump(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = mustOpen(t, dir)
	defer s.Close()
	if diff := difference(mustDump(t, s), want); diff != "" {
		t.Error(diff)
	}
}

// descriptor returns the number of an open file.
func descriptor(t *testing.T, path string) int {
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		var fd int
		fmt.Sscan(e.Name(), &fd)
		if target, err := os.Readlink("/proc/self/fd/" + e.Name()); err == nil && target == path {
			return fd
		}
	}
	t.Fatalf("%q is not open", path)
	return 0
}
