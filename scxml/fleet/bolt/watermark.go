package bolt

import (
	"fmt"

	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/internal/watermark"
)

// A watermark is a second place, besides the database, that knows the state of the store after the last
// acknowledged commit. A database that is behind it has lost commits, which a database cannot tell from
// itself: bbolt, for one, continues with the commit before when the page with the last one is damaged.
var watermarks = watermark.Kind{Magic: "scxmlwm\x01", Grows: 1} // the revision

func (s state) numbers() watermark.Numbers {
	return watermark.Numbers{s.id, s.revision, s.accepted, s.sum}
}

// readWatermark returns the state that a watermark has, or nil if there is none.
func readWatermark(path string) (*state, error) {
	n, exists, err := watermarks.Read(path, fleet.ErrCorrupt)
	if !exists {
		return nil, err
	}
	return &state{id: n[0], revision: n[1], accepted: n[2], sum: n[3]}, nil
}

// A lostError tells how much of what the watermark knows is missing in the database.
type lostError struct {
	path         string
	mark, actual state
}

func (e *lostError) Error() string {
	return fmt.Sprintf("store lost %d acknowledged events: the database is at revision %d, its watermark at %d; "+
		"restore a backup of the database, or delete the file %q to continue without what is lost",
		e.mark.accepted-min(e.mark.accepted, e.actual.accepted), e.actual.revision, e.mark.revision, e.path)
}

func (e *lostError) Is(target error) bool { return target == fleet.ErrLost }

// compare returns an error unless a database with a state can be the one that has this watermark.
func (mark *state) compare(path string, actual state) error {
	switch {
	case mark == nil:
		return nil
	case mark.revision > actual.revision:
		return &lostError{path, *mark, actual}
	case actual.id != 0 && mark.id != actual.id:
		return fmt.Errorf("the watermark %q belongs to another store; if the database is the right one, delete the watermark", path)
	case actual.id != 0 && mark.revision == actual.revision && *mark != actual:
		return fmt.Errorf("the database differs from its watermark %q: %w", path, fleet.ErrCorrupt)
	}
	return nil
}
