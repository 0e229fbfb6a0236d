package doc

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"
	"unicode"
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

// longest is the length of the longest name, in bytes, that can be a typo.
const longest = 64

// nearAll yields the candidates that name may have been meant to be, each with its distance from
// name.
func nearAll(name string, candidates iter.Seq[string]) iter.Seq2[string, int] {
	return func(yield func(string, int) bool) {
		if name == "" || len(name) > longest {
			return
		}
		limit := max(1, utf8.RuneCountInString(name)/3)
		if len(name) == 1 {
			limit = 0 // only its case can be a mistake: any other letter is as near
		}
		var buffers [2][longestCandidate]rune
		lower := lowered(buffers[0][:0], name)
		for c := range candidates {
			if c == "" || c == name || len(c)-len(name) > 2*limit || len(name)-len(c) > 2*limit {
				continue
			}
			if d := distance(lower, lowered(buffers[1][:0], c), limit+1); d <= limit && !yield(c, d) {
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

// longestCandidate bounds the length of a candidate, in bytes: a name of longest bytes can be that far
// from it.
const longestCandidate = longest + 2*(longest/3)

// lowered returns the characters of a text in lower case, in a buffer.
func lowered(buffer []rune, text string) []rune {
	for _, r := range text {
		buffer = append(buffer, unicode.ToLower(r))
	}
	return buffer
}

// distance returns how many characters must be inserted, deleted, replaced or swapped with their
// neighbour to turn s into t. It returns limit if there are that many or more. Neither is longer than
// longestCandidate.
func distance(s, t []rune, limit int) int {
	if slices.Equal(s, t) {
		return 0
	}
	if len(s)-len(t) >= limit || len(t)-len(s) >= limit {
		return limit
	}
	var rows [3][longestCandidate + 1]int8
	before, above, row := &rows[0], &rows[1], &rows[2]
	for j := range len(t) + 1 {
		above[j] = int8(j)
	}
	for i := range s {
		// Only cells near the diagonal can be less than limit.
		from, to := max(0, i+1-limit), min(len(t), i+1+limit)
		row[from] = int8(limit)
		if from == 0 {
			row[0] = int8(i + 1)
		}
		least := row[from]
		for j := from; j < to; j++ {
			cost := int8(1)
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
		if int(least) >= limit {
			return limit
		}
		if to < len(t) {
			row[to+1] = int8(limit)
		}
		before, above, row = above, row, before
	}
	return min(int(above[len(t)]), limit)
}
