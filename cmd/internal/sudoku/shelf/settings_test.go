package shelf_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/shelf"
)

func TestSettingsAreKept(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "config")
	s := open(t, dir)
	got, err := s.Settings()
	if err != nil || !reflect.DeepEqual(got, shelf.Defaults()) {
		t.Errorf("got %+v, %v", got, err)
	}
	got.Theme, got.Vi, got.Glow, got.Show, got.NewGame.Level = "matrix", true, false, []string{"left"}, 5
	if err := s.SaveSettings(got); err != nil {
		t.Fatal(err)
	}
	again, err := reopen(t, s, dir).Settings()
	if err != nil || !reflect.DeepEqual(again, got) {
		t.Errorf("got %+v, %v, want %+v", again, err, got)
	}
}

// What a newer release has written survives an older one, and what is not there has its default.
func TestUnknownSettingsAreKept(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "settings.json")
	if err := os.WriteFile(name, []byte(`{"theme": "paper", "music": {"volume": [1, 2]}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	s := open(t, dir)
	got, err := s.Settings()
	if err != nil || got.Theme != "paper" || !got.Glow {
		t.Errorf("got %+v, %v", got, err)
	}
	got.Theme = "space"
	if err := s.SaveSettings(got); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if plain := strings.Join(strings.Fields(string(text)), ""); !strings.Contains(plain, `"music":{"volume":[1,2]}`) || !strings.Contains(plain, `"theme":"space"`) || strings.Count(plain, "theme") != 1 {
		t.Errorf("got %s", text)
	}
}

// Settings that cannot be used are the defaults. The message says what is wrong, and the
// file remains.
func TestDamagedSettings(t *testing.T) {
	for text, want := range map[string]string{
		"{\n\"theme\": \"paper\",\n\"vi\": \"yes\"}": "settings.json:3: vi: expected true or false, found string",
		"{\n\"theme\": 5}":                           "settings.json:2: theme: expected text in quotes, found number",
		"{\"new_game\": {\"level\": 2.5}}":           "settings.json:1: new_game.level: expected a whole number, found number 2.5",
		"[]":                                         "settings.json:1: settings: expected an object in braces, found array",
		"{\n\"theme\"":                               "settings.json:2: unexpected end of JSON input",
		"":                                           "settings.json:1: unexpected end of JSON input",
		strings.Repeat(" ", 70_000):                  "larger than 65536 bytes",
	} {
		dir := t.TempDir()
		name := filepath.Join(dir, "settings.json")
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		s := open(t, dir)
		got, err := s.Settings()
		if err == nil || !strings.HasSuffix(err.Error(), want) || !reflect.DeepEqual(got, shelf.Defaults()) {
			t.Errorf("got %+v, %v, want %s", got, err, want)
		}
		if err := s.SaveSettings(got); err != nil {
			t.Error(err)
		}
		if kept, err := os.ReadFile(name + ".damaged-1"); err != nil || string(kept) != text {
			t.Errorf("%.20q, %v was set aside, want %.20q", kept, err, text)
		}
		if _, err := s.Settings(); err != nil {
			t.Error(err)
		}
	}
}
