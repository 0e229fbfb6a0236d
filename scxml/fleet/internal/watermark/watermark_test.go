package watermark

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var errDamaged = errors.New("damaged")

func TestNewestMarkIsRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mark")
	if m, err := Read(path, errDamaged); m != (Mark{}) || err != nil {
		t.Fatalf("without a file Read returns %+v, %v", m, err)
	}
	f, err := Create(path, Mark{1, 2, 3, 4})
	if err != nil {
		t.Fatal(err)
	}
	for i := range uint64(5) {
		want := Mark{1, 2, 10 + i, 20 + i}
		if err := f.Note(want); err != nil {
			t.Fatal(err)
		}
		if m, err := Read(path, errDamaged); m != want || err != nil {
			t.Errorf("Read returns %+v, %v; want %+v", m, err, want)
		}
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}

// A write that was torn leaves the mark before it.
func TestTornMark(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mark")
	f, err := Create(path, Mark{1, 2, 3, 4})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Note(Mark{1, 2, 5, 6}); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := range markSize {
		damaged := slices.Clone(whole)
		damaged[i] ^= 1
		if err := os.WriteFile(path, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		if m, err := Read(path, errDamaged); m != (Mark{1, 2, 3, 4}) || err != nil {
			t.Fatalf("with byte %d damaged Read returns %+v, %v", i, m, err)
		}
	}
	if err := os.WriteFile(path, make([]byte, 2*slotSize), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(path, errDamaged); !errors.Is(err, errDamaged) {
		t.Errorf("without a mark Read returns %v, want errDamaged", err)
	}
}

func TestLost(t *testing.T) {
	m := Mark{1, 2, 10, 100}
	for _, has := range []Mark{{1, 2, 10, 100}, {1, 2, 11, 105}} {
		if err := m.Lost(has, "mark"); err != nil {
			t.Errorf("a store at %+v is behind %+v: %v", has, m, err)
		}
	}
	err := m.Lost(Mark{1, 2, 8, 95}, "mark")
	if err == nil || !strings.Contains(err.Error(), "store lost 5 acknowledged events") {
		t.Errorf("a store that is behind has error %v", err)
	}
}
