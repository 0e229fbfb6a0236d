package fleet

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// accepted looks for the event with the id of a request among those that the session has accepted.
func (t *turn) accepted(r *request) (receipt Receipt, found bool, err error) {
	known := uint64(0)
	if a := t.answered(r.id); a != nil {
		receipt, known = Receipt{a.position, true}, a.digest
	} else if i := slices.IndexFunc(t.inbox, func(l inboxEvent) bool { return l.id == r.id }); i >= 0 {
		ev, err := decodeEvent(t.inbox[i].ev)
		if err != nil {
			return receipt, false, &StepError{t.Key, err}
		}
		receipt, known = Receipt{t.position(i), true}, digest(r.id, ev)
	} else {
		return receipt, false, nil
	}
	if known != 0 && known != r.digest {
		return Receipt{}, false, fmt.Errorf("session %q: id %q: %w", t.Key, r.id, ErrReused)
	}
	return receipt, true, nil
}

// answered returns what was said about the event with an id, or nil.
func (r *record) answered(id string) *answer {
	if i := slices.IndexFunc(r.ids, func(a answer) bool { return a.id == id }); i >= 0 {
		return &r.ids[i]
	}
	return nil
}

// mustRemember reports whether one more id would make the session forget one before Config.IDsFor is over.
func (t *turn) mustRemember() bool {
	if t.f.cfg.IDs == 0 || t.f.cfg.IDsFor == 0 {
		return false
	}
	forgotten := len(t.ids) + 1 - t.f.cfg.IDs
	for i := range t.inbox {
		if t.inbox[i].id != "" {
			forgotten++
		}
	}
	return forgotten > len(t.ids) || slices.ContainsFunc(t.ids[:max(0, forgotten)], func(a answer) bool { return a.at.Add(t.f.cfg.IDsFor).After(t.now) })
}

// remember adds an answer, and forgets the oldest ones.
func (t *turn) remember(a answer) {
	if a.id == "" || t.f.cfg.IDs == 0 {
		return
	}
	ids := t.ids[max(0, len(t.ids)+1-t.f.cfg.IDs):]
	if t.f.cfg.IDsFor == 0 {
		a.at = time.Time{}
	} else {
		for len(ids) > 0 && !ids[0].at.IsZero() && !ids[0].at.Add(t.f.cfg.IDsFor).After(t.now) {
			ids = ids[1:]
		}
	}
	t.ids = append(ids, a)
}

// digest returns a number that tells an event with an id from others, by its name and data.
func digest(id string, ev scxml.Event) uint64 {
	if id == "" {
		return 0
	}
	sum := sha256.Sum256(datamodel.AppendJSON(append([]byte(ev.Name), 0), sorted(ev.Data)))
	return binary.LittleEndian.Uint64(sum[:])
}

// sorted returns a value with the keys of its objects in order: to a program that repeats an event, they
// may come in another one.
func sorted(v datamodel.Value) datamodel.Value {
	switch v := v.(type) {
	case []datamodel.Value:
		all := make([]datamodel.Value, len(v))
		for i, item := range v {
			all[i] = sorted(item)
		}
		return all
	case *datamodel.Object:
		items := maps.Collect(v.All())
		o := new(datamodel.Object)
		for _, key := range slices.Sorted(maps.Keys(items)) {
			o.Set(key, sorted(items[key]))
		}
		return o
	}
	return v
}
