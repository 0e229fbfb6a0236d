package doc

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"strings"
	"unicode/utf8"
)

// Near returns the candidate that name was probably meant to be, or "".
func Near(name string, candidates iter.Seq[string]) string { return near(name, candidates) }

// near returns the candidate that name was probably meant to be, or "". It prefers the nearest
// one; then one of which name is a prefix, or that is a prefix of name; then the first.
func near(name string, candidates iter.Seq[string]) string {
	least, found := math.MaxInt, ""
	for c, d := range nearAll(name, candidates) {
		d *= 2
		if !strings.HasPrefix(c, name) && !strings.HasPrefix(name, c) {
			d++
		}
		if d < least {
			least, found = d, c
		}
	}
	return found
}

// nearAll yields the candidates that name may have been meant to be, each with its distance from
// name.
func nearAll(name string, candidates iter.Seq[string]) iter.Seq2[string, int] {
	return func(yield func(string, int) bool) {
		const longest = 64 // anything longer is not a typo
		if name == "" || len(name) > longest {
			return
		}
		limit := max(1, utf8.RuneCountInString(name)/3)
		if len(name) == 1 {
			limit = 0 // only its case can be a mistake: any other letter is as near
		}
		lower := strings.ToLower(name)
		for c := range candidates {
			if c == "" || c == name || len(c)-len(name) > 2*limit || len(name)-len(c) > 2*limit {
				continue
			}
			if d := distance(lower, strings.ToLower(c), limit+1); d <= limit && !yield(c, d) {
				return
			}
		}
	}
}

// didYouMean returns " (did you mean …?)" with the id of the nearest state, or "" if there is none.
func didYouMean(id string, states []*State) string {
	if len(states) == 0 {
		return ""
	}
	meant := near(id, func(yield func(string) bool) {
		for _, s := range states {
			if !yield(s.ID) {
				return
			}
		}
	})
	return fmt.Sprintf(" (did you mean %q?)", cmp.Or(meant, states[0].ID))
}

// distance returns how many characters must be inserted, deleted, replaced or swapped with their
// neighbour to turn a into b. It returns limit if there are that many or more.
func distance(a, b string, limit int) int {
	if a == b {
		return 0
	}
	s, t := []rune(a), []rune(b)
	if len(s)-len(t) >= limit || len(t)-len(s) >= limit {
		return limit
	}
	before, above, row := make([]int, len(t)+1), make([]int, len(t)+1), make([]int, len(t)+1)
	for j := range above {
		above[j] = j
	}
	for i := range s {
		row[0] = i + 1
		least := row[0]
		for j := range t {
			cost := 1
			if s[i] == t[j] {
				cost = 0
			}
			d := min(above[j]+cost, above[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && s[i] == t[j-1] && s[i-1] == t[j] {
				d = min(d, before[j-1]+1)
			}
			row[j+1] = d
			least = min(least, d)
		}
		if least >= limit {
			return limit
		}
		before, above, row = above, row, before
	}
	return above[len(t)]
}
