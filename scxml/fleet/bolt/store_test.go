package bolt

import (
	"path/filepath"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/fleettest"
)

func TestStore(t *testing.T) {
	fleettest.Test(t, fleettest.Kit{
		Open: func(t testing.TB) fleet.Store {
			return mustOpen(t, t.TempDir())
		},
		Reopen: func(t testing.TB, s fleet.Store) fleet.Store {
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			return mustOpen(t, filepath.Dir(s.(*Store).path))
		},
	})
}

func mustOpen(t testing.TB, dir string) *Store {
	t.Helper()
	s, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
