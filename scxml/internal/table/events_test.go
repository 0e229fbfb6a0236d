package table

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func TestMatches(t *testing.T) {
	for _, test := range []struct {
		descriptor, name string
		want             bool
	}{
		{"a", "a", true}, {"a", "a.b", true}, {"a", "ab", false}, {"a", "b.a", false},
		{"a.b", "a", false}, {"a.b", "a.b.c", true}, {"a.b", "a.bc", false},
		{"*", "a", true}, {"*", "a.b", true}, {".*", "a", true},
		{"a.*", "a", true}, {"a.*", "a.b", true}, {"a.*", "ab", false}, {"a.", "a.b", true},
		{"*.a", "b.a", false}, {"a*", "ab", false}, {"error", "error.execution", true}, {"A", "a", false},
	} {
		if got := Matches(test.descriptor, test.name); got != test.want {
			t.Errorf("Matches(%q, %q) = %v", test.descriptor, test.name, got)
		}
	}
}

// FuzzEvents compares the lookup of descriptors with the definition in REC 3.12.1, which compares
// token by token.
func FuzzEvents(f *testing.F) {
	f.Add("a a.b * .* a.* b. error.execution", "a.b.c")
	f.Add("a..b . .. *.* .a", "a..b")
	f.Add("é é.* é.x", "é.x.y")
	f.Add("..", ".")
	f.Fuzz(func(t *testing.T, descriptors, name string) {
		if name == "" || strings.ContainsAny(name, " \t\r\n") {
			t.Skip("no event name")
		}
		var events Events
		var want []Descriptor
		for _, d := range strings.Fields(descriptors) {
			n := events.Add(d)
			if matchesByTokens(d, name) && !slices.Contains(want, n) {
				want = append(want, n)
			}
			if Matches(d, name) != matchesByTokens(d, name) {
				t.Errorf("Matches(%q, %q) = %v", d, name, !matchesByTokens(d, name))
			}
		}
		events.Seal()
		var m Matcher
		for range 2 { // the second answer is a remembered one
			got := slices.Clone(m.Match(&events, name))
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("descriptors %q: Match(%q) = %v, want %v", descriptors, name, got, want)
			}
			m.Match(&events, "something.else")
		}
	})
}

func matchesByTokens(descriptor, name string) bool {
	if descriptor == "*" {
		return true
	}
	descriptor = strings.TrimSuffix(strings.TrimSuffix(descriptor, ".*"), ".")
	if descriptor == "" {
		return true
	}
	d, n := strings.Split(descriptor, "."), strings.Split(name, ".")
	return len(d) <= len(n) && slices.Equal(d, n[:len(d)])
}

// TestLongNames looks up names of many tokens. Looking up each prefix of such a name would take
// minutes.
func TestLongNames(t *testing.T) {
	name := strings.Repeat("a.", 1_000_000) + "a"
	var events Events
	for d := range strings.FieldsSeq("a b c d e f g h i a.a.a.b " + name) {
		events.Add(d)
	}
	start := time.Now()
	events.Seal()
	if got := events.Match(nil, name+".a"); !slices.Equal(got, []Descriptor{0, 10}) {
		t.Errorf("descriptors %v match", got)
	}
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("took %v", took)
	}
}

func TestMatcherForgets(t *testing.T) {
	var events Events
	events.Add("x")
	events.Seal()
	var m Matcher
	for i := range 10 * maxKnown {
		m.Match(&events, "x."+strings.Repeat("y", i%5000))
	}
	if len(m.known) > maxKnown {
		t.Errorf("the matcher knows %d names", len(m.known))
	}
}
