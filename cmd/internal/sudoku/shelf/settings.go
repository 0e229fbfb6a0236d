package shelf

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/scxmlrun/scxmlrun/cmd/internal/durable"
)

// maxSettings is the maximum size of the file of settings, in bytes.
const maxSettings = 64 << 10

// Settings are what the player has chosen. An empty text is the default.
type Settings struct {
	Theme            string   `json:"theme"`
	Lang             string   `json:"lang"`                // of the texts; empty: by the locale
	Cells            string   `json:"cells"`               // the size of the cells; empty: by the size of the terminal
	Vi               bool     `json:"vi"`                  // h, j, k and l move the selection
	CleanUp          bool     `json:"clean_up"`            // setting a digit removes it from the notes of its peers
	Glow             bool     `json:"glow"`                // something moves
	Sound            bool     `json:"sound"`               // tells of a conflict, a full unit and the end
	Draw             bool     `json:"draw"`                // on a page: a finger draws digits
	Typeface         string   `json:"typeface"`            // of digits: a name of the front end; empty: the default
	PauseOnFocusLoss bool     `json:"pause_on_focus_loss"` //
	Panel            bool     `json:"panel"`               // at the side
	Show             []string `json:"show"`                // the feedback that is on, by name; nil: the default
	NewGame          NewGame  `json:"new_game"`            // the last choice
}

// NewGame is a choice of the dialog for a new game.
type NewGame struct {
	Kind     string `json:"kind"` // level, missing, flash or daily
	Level    int    `json:"level"`
	Missing  int    `json:"missing"`
	Symmetry string `json:"symmetry"`
}

// Defaults returns the settings of a new player.
func Defaults() Settings {
	return Settings{
		CleanUp: true, Glow: true, PauseOnFocusLoss: true, Panel: true,
		NewGame: NewGame{Kind: "level", Level: 2, Missing: 40},
	}
}

// fields are those of a JSON object.
type fields = map[string]json.RawMessage

// Settings returns the settings. A field that is not in the file has its default. If the
// file cannot be used, these are the defaults, and the error says what is wrong with it.
func (s *Shelf) Settings() (Settings, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	settings, _, err := s.readSettings()
	return settings, err
}

func (s *Shelf) settingsFile() string { return filepath.Join(s.config, "settings.json") }

// readSettings returns the settings, and the fields that this version does not know.
func (s *Shelf) readSettings() (Settings, fields, error) {
	settings, other := Defaults(), fields{}
	if s.config == "" {
		return settings, nil, nil
	}
	text, err := read(s.settingsFile(), maxSettings)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return settings, nil, nil
	case err != nil:
		return settings, nil, fmt.Errorf("cannot read the settings %q: %w", s.settingsFile(), durable.Cause(err))
	}
	err = json.Unmarshal(text, &other)
	if err == nil {
		err = json.Unmarshal(text, &settings)
	}
	if err != nil {
		return Defaults(), nil, fmt.Errorf("cannot read the settings %w", settingsError(s.settingsFile(), text, err))
	}
	for f := range reflect.TypeFor[Settings]().Fields() {
		maps.DeleteFunc(other, func(name string, _ json.RawMessage) bool { return strings.EqualFold(name, f.Tag.Get("json")) })
	}
	return settings, other, nil
}

// settingsError says where the JSON is wrong.
func settingsError(name string, text []byte, err error) error {
	offset, problem := int64(len(text)), err.Error()
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		offset = syntax.Offset
	case errors.As(err, &kind):
		offset, problem = kind.Offset, fmt.Sprintf("%s: expected %s, found %s", cmp.Or(kind.Field, "settings"), kinds[kind.Type.Kind()], kind.Value)
	}
	return fmt.Errorf("%s:%d: %s", name, 1+bytes.Count(text[:min(offset, int64(len(text)))], []byte("\n")), problem)
}

// kinds are the names of the types of JSON.
var kinds = map[reflect.Kind]string{
	reflect.Bool: "true or false", reflect.String: "text in quotes", reflect.Int: "a whole number",
	reflect.Slice: "a list in brackets", reflect.Struct: "an object in braces", reflect.Map: "an object in braces",
}

// SaveSettings keeps the settings. Fields of the file that this version does not know are
// kept as well. A file that cannot be used is set aside.
func (s *Shelf) SaveSettings(settings Settings) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.config == "" {
		return nil
	}
	name := s.settingsFile()
	_, other, problem := s.readSettings()
	if problem != nil {
		if _, err := setAside(name, "damaged"); err != nil {
			return problem
		}
	}
	text, err := json.Marshal(settings)
	if err != nil {
		return err
	}
	all := fields{}
	if err := json.Unmarshal(text, &all); err != nil {
		return err
	}
	maps.Copy(all, other)
	if text, err = json.MarshalIndent(all, "", "  "); err != nil {
		return err
	}
	if err := os.MkdirAll(s.config, 0o700); err != nil {
		return fmt.Errorf("cannot keep the settings: %w", err)
	}
	if err := durable.Write(name, append(text, '\n'), 0o600); err != nil {
		return fmt.Errorf("cannot keep the settings: %w", durable.Cause(err))
	}
	return nil
}
