package words

import (
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/generate"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/service"
)

func TestNewTakesLocales(t *testing.T) {
	for lang, want := range map[string]string{"en": "en", "nl": "nl", "NL": "nl", "nl-BE": "nl", "nl_NL.UTF-8": "nl", "en_US": "en"} {
		w, err := New(lang)
		if err != nil {
			t.Fatal(err)
		}
		if w.Lang() != want {
			t.Errorf("%s: %s, want %s", lang, w.Lang(), want)
		}
	}
	for _, lang := range []string{"de", "nld", "x", "-"} {
		if _, err := New(lang); err == nil || !strings.Contains(err.Error(), "want en or nl") {
			t.Errorf("%s: %v", lang, err)
		}
	}
}

// The first variable that is set decides, as in POSIX.
func TestNewFollowsTheLocale(t *testing.T) {
	for _, c := range []struct{ all, messages, lang, want string }{
		{"nl_NL.UTF-8", "en_US", "en_US", "nl"},
		{"", "nl_BE@euro", "en_US", "nl"},
		{"", "", "nl_NL", "nl"},
		{"C", "nl_NL", "nl_NL", "en"},
		{"", "", "C.UTF-8", "en"},
		{"", "", "de_DE.UTF-8", "en"},
	} {
		t.Setenv("LC_ALL", c.all)
		t.Setenv("LC_MESSAGES", c.messages)
		t.Setenv("LANG", c.lang)
		w, err := New("")
		if err != nil {
			t.Fatal(err)
		}
		if w.Lang() != c.want {
			t.Errorf("%+v: %s", c, w.Lang())
		}
	}
}

// texts returns words with a catalogue of the test.
func texts(t *testing.T, lang string, catalogue map[string]text) *Words {
	t.Helper()
	w, err := newWords(lang, catalogue)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestPlurals(t *testing.T) {
	w := texts(t, "nl", map[string]text{
		"%s: %d cells": {cases: map[string]string{"one": "%[1]s: één cel", "=0": "%[1]s: geen cel", "other": "%[1]s: %[2]d cellen"}},
		"%d%% of %s":   {other: "%[2]s: %[1]d%%"},
	})
	for n, want := range map[int]string{0: "rij 1: geen cel", 1: "rij 1: één cel", 2: "rij 1: 2 cellen", 1234: "rij 1: 1.234 cellen"} {
		if got := w.T("%s: %d cells", "rij 1", n); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got, want := w.T("%d%% of %s", 5, "x"), "x: 5%"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := w.T("%.1f", 2.6), "2,6"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A text without a translation remains English, and is formatted.
func TestUnknownTextStaysEnglish(t *testing.T) {
	if got, want := texts(t, "nl", nil).T("%d of %s", 3, "x"), "3 of x"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// names returns what other packages call things, see [Words.Name].
func names() (all []string) {
	for _, p := range sudoku.Puzzles() {
		all = append(all, p.Name)
	}
	for _, s := range generate.Symmetries() {
		all = append(all, s.Name)
	}
	for _, m := range service.Methods() {
		all = append(all, m.Explanation)
	}
	return all
}

func TestNamesAreDutch(t *testing.T) {
	w, err := New("nl")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names() {
		same := strings.Contains(name, "-beginner-") || strings.Contains(name, "-expert-")
		if got := w.Name(name); got == name && !same || got == "" || strings.Contains(got, "%!") {
			t.Errorf("%q is %q", name, got)
		}
	}
	for _, name := range []string{"Monday-easy-1", "100 %d", ""} {
		if got := w.Name(name); got != name {
			t.Errorf("%q of the player is %q", name, got)
		}
	}
}
