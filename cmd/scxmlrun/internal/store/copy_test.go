package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/cmd/internal/pgtest"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
)

func parse(t *testing.T, text string) Place {
	t.Helper()
	place, err := Parse("store", text, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return place
}

func open(t *testing.T, place Place, mode Mode) fleet.Store {
	t.Helper()
	s, err := place.Open(t.Context(), mode)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// fill writes sessions with logs of different lengths, and files.
func fill(t *testing.T, place Place, sessions int) {
	t.Helper()
	s := open(t, place, Serve)
	defer s.Close()
	revisions := make([]uint64, sessions)
	for round := range 4 {
		var changes []fleet.Change
		for i := range sessions {
			key := fmt.Sprintf("k%04d", i)
			rec := &fleet.Record{
				Key: key, Chart: "c", Hash: "h", Status: "running", Accepted: uint64(round), Pending: i%3 == 0,
				Body: bytes.Repeat([]byte(key), 1+i%500),
			}
			if i%2 == 0 {
				rec.Wake = time.Unix(int64(i), 5).UTC()
			}
			c := fleet.Change{Key: key, Old: revisions[i], New: rec}
			if round < i%5 {
				c.Log = fmt.Appendf(nil, "entry %d of %s", round, key)
			}
			changes = append(changes, c)
		}
		if err := errors.Join(s.Commit(t.Context(), changes)...); err != nil {
			t.Fatal(err)
		}
		for i, c := range changes {
			revisions[i] = c.New.Revision
		}
	}
	for name, data := range map[string]string{"chart/c/h": "<scxml/>", "latest/c": "h", "empty": "", "ready": "ok", "hosts/a": "1"} {
		if err := s.PutFile(t.Context(), name, []byte(data)); err != nil {
			t.Fatal(err)
		}
	}
}

func quiet(string, int) {}

// read returns what a store has, session by session.
func read(t *testing.T, place Place) (all []string) {
	t.Helper()
	s := open(t, place, Check)
	defer s.Close()
	err := each(t.Context(), s, "", func(key string) error {
		rec, log, err := session(t.Context(), s, key)
		if err != nil {
			return err
		}
		all = append(all, fmt.Sprintf("%s %s %s %s %v %v %d %s", rec.Key, rec.Chart, rec.Hash, rec.Status, rec.Wake, rec.Pending, rec.Accepted, rec.Body))
		for i, e := range log {
			if i > 0 && e.Revision <= log[i-1].Revision {
				t.Errorf("log of %q is out of order: %v", key, log)
			}
			all = append(all, string(e.Body))
		}
		return nil
	})
	names, ferr := s.Files(t.Context(), "")
	if err := errors.Join(err, ferr); err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		data, err := s.File(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		if ours(name) {
			all = append(all, name+": "+string(data))
		}
	}
	return all
}

func equal(t *testing.T, what string, got, want []string) {
	t.Helper()
	if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
		t.Errorf("%s has\n%.300s\nwant\n%.300s", what, g, w)
	}
}

// places returns a store of each kind that is here.
func places(t *testing.T) map[string]func(*testing.T) Place {
	url, _ := pgtest.Start(t)
	n := 0
	return map[string]func(*testing.T) Place{
		"folder": func(t *testing.T) Place { return parse(t, filepath.Join(t.TempDir(), "data")) },
		"postgres": func(t *testing.T) Place {
			n++
			return parse(t, fmt.Sprintf("%s&schema=s%d", url, n))
		},
	}
}

// A copy has all that the source has, between all kinds of stores, also when it was interrupted at
// any batch; and until it is complete, no server starts on it.
func TestCopy(t *testing.T) {
	const sessions = 300
	kinds := places(t)
	for from, source := range kinds {
		for to, target := range kinds {
			t.Run(from+" to "+to, func(t *testing.T) {
				a, b := source(t), target(t)
				fill(t, a, sessions)
				for _, stop := range []int{100, 280, sessions + 50} { // in a first batch, in another one, while it compares
					ctx, cancel := context.WithCancel(t.Context())
					_, err := Copy(ctx, a, b, func(doing string, n int) {
						if doing == "compared" {
							n += sessions
						}
						if n == stop {
							cancel()
						}
					})
					if !errors.Is(err, context.Canceled) {
						t.Fatalf("Copy returns %v, want context.Canceled", err)
					}
					if s, err := b.Open(t.Context(), Serve); err == nil || !strings.Contains(err.Error(), "a copy that was interrupted") {
						t.Fatalf("a copy that is not complete opens with %v, %v", s, err)
					}
				}
				r, err := Copy(t.Context(), a, b, quiet)
				if err != nil || r.Sessions != sessions || r.Accepted != 3*sessions || r.Files != 3 {
					t.Fatalf("Copy returns %+v, %v", r, err)
				}
				equal(t, "the copy", read(t, b), read(t, a))
				if _, err := Copy(t.Context(), a, b, quiet); !errors.Is(err, errNotEmpty) {
					t.Errorf("copied again: %v, want %v", err, errNotEmpty)
				}
				s := open(t, b, Serve)
				defer s.Close()
				if _, err := s.File(t.Context(), copyFile); !errors.Is(err, fleet.ErrNotFound) {
					t.Errorf("the copy has a file %q: %v", copyFile, err)
				}
			})
		}
	}
}

// A store that is in use is not copied, and cannot be used while it is copied.
func TestCopyIsAlone(t *testing.T) {
	for kind, place := range places(t) {
		t.Run(kind, func(t *testing.T) {
			a, b := place(t), parse(t, filepath.Join(t.TempDir(), "copy"))
			fill(t, a, 10)
			s := open(t, a, Serve)
			if _, err := Copy(t.Context(), a, b, quiet); err == nil || !strings.Contains(err.Error(), "another process uses") {
				t.Errorf("copied while it is in use: %v", err)
			}
			s.Close()
			_, err := Copy(t.Context(), a, b, func(doing string, n int) {
				if doing != "compared" || n != 5 {
					return
				}
				ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
				defer cancel()
				if s, err := a.Open(ctx, Serve); err == nil {
					t.Error("a store that is being copied opens")
					s.Close()
				}
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
}

// What has changed in the source since an interrupted copy makes it fail.
func TestSourceChangesBetweenCopies(t *testing.T) {
	a, b := parse(t, filepath.Join(t.TempDir(), "a")), parse(t, filepath.Join(t.TempDir(), "b"))
	fill(t, a, 600)
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := Copy(ctx, a, b, func(_ string, n int) {
		if n == 500 {
			cancel()
		}
	}); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	s := open(t, a, Serve)
	rec, err := s.Load(t.Context(), "k0001")
	if err != nil {
		t.Fatal(err)
	}
	rec.Accepted++
	if err := s.Commit(t.Context(), []fleet.Change{{Key: rec.Key, Old: rec.Revision, New: rec}})[0]; err != nil {
		t.Fatal(err)
	}
	s.Close()
	if _, err := Copy(t.Context(), a, b, quiet); !errors.Is(err, errDiffers) || !strings.Contains(err.Error(), `"k0001"`) {
		t.Errorf("Copy returns %v, want %v with the session", err, errDiffers)
	}
}

// A server that writes its sign of life is noticed where a store cannot keep it out.
func TestServerUsesSource(t *testing.T) {
	source := fleet.NewMemory()
	c := &copying{source: source, target: fleet.NewMemory(), name: "memory", progress: quiet, began: time.Now().Add(-sign)}
	put := func(life string) {
		if err := source.PutFile(t.Context(), "hosts/a", []byte(life)); err != nil {
			t.Fatal(err)
		}
	}
	put("1")
	var err error
	if c.hosts, err = readHosts(t.Context(), source); err != nil {
		t.Fatal(err)
	}
	if err := c.unused(t.Context()); err != nil {
		t.Errorf("a host that is dead uses the source: %v", err)
	}
	put("2")
	if err := c.unused(t.Context()); !errors.Is(err, errInUse) {
		t.Errorf("got %v, want %v", err, errInUse)
	}
}
