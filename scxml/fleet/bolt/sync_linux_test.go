package bolt

import (
	"errors"
	"os"
	"reflect"
	"syscall"
	"testing"
	"unsafe"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
)

// unsyncable lets the syncs of a store fail that follow the write of a meta page, until it is called again.
func unsyncable(t *testing.T, s *Store) (well func()) {
	file := *(**os.File)(unsafe.Pointer(reflect.ValueOf(s.db).Elem().FieldByName("file").UnsafeAddr()))
	fd := int(file.Fd())
	saved, err := syscall.Dup(fd)
	if err != nil {
		t.Fatal(err)
	}
	var pipe [2]int // which cannot be synced
	if err := syscall.Pipe(pipe[:]); err != nil {
		t.Fatal(err)
	}
	become := func(other int) {
		if err := syscall.Dup3(other, fd, syscall.O_CLOEXEC); err != nil {
			t.Fatal(err)
		}
	}
	write := writeAt(t, s)
	original := *write
	*write = func(b []byte, off int64) (int, error) {
		become(saved)
		n, err := original(b, off)
		if off <= pageSize {
			become(pipe[1])
		}
		return n, err
	}
	return func() {
		become(saved)
		*write = original
		for _, fd := range []int{saved, pipe[0], pipe[1]} {
			syscall.Close(fd)
		}
	}
}

// A commit whose sync has failed does not count as stored until a later sync succeeds, although it can be
// read: the system may have dropped what it could not write.
func TestWhatWasNotSyncedIsNotStored(t *testing.T) {
	chart, err := scxml.Parse("chart.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><state id="s"/></scxml>`))
	if err != nil {
		t.Fatal(err)
	}
	s := mustOpen(t, t.TempDir())
	defer s.Close()
	f, err := fleet.New(s, fleet.Config{}, fleet.Define("chart", chart))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	ctx := t.Context()
	well := unsyncable(t, s)
	if err := f.Create(ctx, "k", fleet.CreateOptions{}); !errors.Is(err, fleet.ErrUnknown) {
		t.Errorf("Create: %v, want ErrUnknown", err)
	}
	_, err = s.Load(ctx, "k")
	_, errLog := s.Log(ctx, "k", 0, 0)
	_, errList := s.List(ctx, "", 0)
	if err == nil || errLog == nil || errList == nil {
		t.Errorf("before it is synced, it can be read: %v, %v, %v", err, errLog, errList)
	}
	well()
	write, metas := writeAt(t, s), 0
	original := *write
	*write = func(b []byte, off int64) (int, error) {
		if off <= pageSize {
			metas++
		}
		return original(b, off)
	}
	if _, err := s.Load(ctx, "k"); err != nil || metas != 1 {
		t.Errorf("when the disk is well again: %v after %d syncs, want one", err, metas)
	}
	if err := f.Create(ctx, "k", fleet.CreateOptions{}); !errors.Is(err, fleet.ErrExists) {
		t.Errorf("Create again: %v, want ErrExists", err)
	}
}
