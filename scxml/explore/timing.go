package explore

import (
	"fmt"
	"slices"
)

// A Timing says when events may come while delayed ones are pending.
type Timing uint8

const (
	// Zones is any time: a search finds each state that events can lead to, whenever they come, and no
	// other. An event that comes when a delayed one is due comes after it, as with [scxml.Session.Do].
	Zones Timing = iota

	// Zero is at once: no time passes but from rest until the next delayed event is due. There are fewer
	// states. If an event comes while a delayed one is pending the verdict is never [Holds].
	Zero

	// Any is any time, and delays are ignored: pending events may be due in any order. The search finds all
	// states, and maybe others that no times lead to. If it finds a violation only there, the verdict is
	// [Inconclusive].
	Any
)

var timingNames = [...]string{"zones", "zero", "any"}

// String returns "zones", "zero" or "any".
func (t Timing) String() string { return timingNames[t] }

// ParseTiming is the inverse of [Timing.String].
func ParseTiming(name string) (Timing, error) {
	if i := slices.Index(timingNames[:], name); i >= 0 {
		return Timing(i), nil
	}
	return 0, fmt.Errorf("%q is not a timing: want zones, zero or any", name)
}
