package cli

import (
	"fmt"
	"slices"
)

// Nearest returns the candidate that word is probably a misspelling of, or "". A
// word that is itself a candidate is not a misspelling.
func Nearest(word string, candidates []string) string {
	const most = 1000 // bytes: the time grows with the product of the lengths
	if len(word) > most || slices.Contains(candidates, word) {
		return ""
	}
	best, bestDistance := "", 1+max(1, len([]rune(word))/3)
	for _, c := range candidates {
		if len(c) > most {
			continue
		}
		if d := distance([]rune(word), []rune(c)); d < bestDistance {
			best, bestDistance = c, d
		}
	}
	return best
}

// DidYouMean returns a hint for the end of an error message: the nearest candidate,
// or all candidates if they are few. It is empty if word is itself a candidate.
func DidYouMean(word string, candidates []string) string {
	if slices.Contains(candidates, word) {
		return ""
	}
	if near := Nearest(word, candidates); near != "" {
		return fmt.Sprintf(" (did you mean %q?)", near)
	}
	if n := len(candidates); n > 0 && n <= 20 {
		return fmt.Sprintf(" (want %s)", List(candidates, "or"))
	}
	return ""
}

// List writes words as "a", "b" and "c".
func List(words []string, conjunction string) string {
	s := ""
	for i, w := range words {
		switch {
		case i == 0:
		case i == len(words)-1:
			s += " " + conjunction + " "
		default:
			s += ", "
		}
		s += fmt.Sprintf("%q", w)
	}
	return s
}

// distance returns how many characters must be inserted, deleted, replaced or
// swapped with their neighbour to turn a into b.
func distance(a, b []rune) int {
	var before []int
	last := make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range a {
		row := make([]int, len(b)+1)
		row[0] = i + 1
		for j := range b {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(last[j+1]+1, row[j]+1, last[j]+cost)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last = last, slices.Clone(row)
	}
	return last[len(b)]
}
