package human

import (
	"fmt"
	"strings"
)

// Techniques returns all techniques, those of Order first.
func Techniques() []Technique { return upTo(techniques) }

func upTo(end Technique) []Technique {
	all := make([]Technique, end)
	for t := range all {
		all[t] = Technique(t)
	}
	return all
}

// ParseTechnique returns the technique with a name. Upper and lower case, blanks and
// hyphens do not matter: "x-wing" and "XWing" are the same.
func ParseTechnique(name string) (Technique, error) {
	want := plain(name)
	best, distance := FullHouse, len(want)+len(name)
	for t := range techniques {
		have := plain(t.String())
		if have == want {
			return t, nil
		}
		if d := edits(have, want); d < distance {
			best, distance = t, d
		}
	}
	return 0, fmt.Errorf("%q is not a technique: did you mean %q?", name, best.String())
}

var blanks = strings.NewReplacer(" ", "", "-", "", "_", "")

func plain(name string) string { return blanks.Replace(strings.ToLower(name)) }

// edits returns how many letters have to be inserted, removed or replaced to make one
// word of another.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
