package words

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
	"golang.org/x/text/message/catalog"
)

//go:embed en nl
var files embed.FS

// A Key is a text in English, with the verbs of package fmt. Constants become keys by
// themselves: fields of tables have this type, so that the test finds their translations.
type Key string

// Words writes texts in a language. It may be used by several goroutines.
type Words struct {
	lang    string
	texts   map[string]text
	printer *message.Printer
}

// Languages returns the languages that [New] accepts.
func Languages() []string { return []string{"en", "nl"} }

// New returns the words of a language, such as "nl" or "nl-BE". An empty name means the
// language of the system, or English if that is not one of [Languages].
func New(lang string) (*Words, error) {
	name := base(lang)
	if lang == "" {
		name = system()
	}
	if !slices.Contains(Languages(), name) {
		return nil, fmt.Errorf("%q is not a language of the game: want %s", lang, strings.Join(Languages(), " or "))
	}
	texts, err := read(name)
	if err != nil {
		return nil, err
	}
	return newWords(name, texts)
}

func newWords(lang string, texts map[string]text) (*Words, error) {
	tag := language.Make(lang)
	b := catalog.NewBuilder(catalog.Fallback(tag))
	for key, t := range texts {
		if err := b.Set(tag, key, t.message(key)); err != nil {
			return nil, fmt.Errorf("words: %s: %q: %w", lang, key, err)
		}
	}
	return &Words{lang, texts, message.NewPrinter(tag, message.Catalog(b))}, nil
}

// base returns the language of a locale: "nl" of "nl_NL.UTF-8", "NL-be" and "nl".
func base(locale string) string {
	if i := strings.IndexAny(locale, "_-.@"); i >= 0 {
		locale = locale[:i]
	}
	return strings.ToLower(locale)
}

// Lang returns the language, as in "nl".
func (w *Words) Lang() string { return w.lang }

// T translates and formats a text. Numbers are written as in the language: %d of 1000 is
// "1,000", %.1f of 2.6 in Dutch "2,6".
func (w *Words) T(key Key, args ...any) string {
	if len(args) == 0 && !strings.Contains(string(key), "%") { // most texts; the printer would allocate
		if t, ok := w.texts[string(key)]; ok {
			return t.other
		}
		return string(key)
	}
	return w.printer.Sprintf(string(key), args...)
}

// A text is a translation, or several by the count that they are for.
type text struct {
	other string
	cases map[string]string
}

// read reads the catalogues of a language.
func read(lang string) (map[string]text, error) {
	all := map[string]text{}
	names, err := fs.Glob(files, lang+"/*.json")
	for _, name := range names {
		source, err := files.ReadFile(name)
		if err == nil {
			err = json.Unmarshal(source, &all) // adds to the map
		}
		if err != nil {
			return nil, fmt.Errorf("words: %s: %w", name, err)
		}
	}
	return all, err
}

func (t *text) UnmarshalJSON(source []byte) error {
	if json.Unmarshal(source, &t.other) == nil {
		return nil
	}
	return json.Unmarshal(source, &t.cases)
}

// message returns the translation of a key as the catalogue takes it.
func (t text) message(key string) catalog.Message {
	if t.cases == nil {
		return catalog.String(t.other)
	}
	var cases []any
	for _, name := range slices.Sorted(maps.Keys(t.cases)) { // "=1" before "one"
		if name != "other" { // which must be last
			cases = append(cases, name, t.cases[name])
		}
	}
	return plural.Selectf(counted(key), "", append(cases, "other", t.cases["other"])...)
}

// verb matches the verbs of a format.
var verb = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`%(?:\[(\d+)\])?[-+# 0-9.]*(?:\[(\d+)\])?([a-zA-Z%])`)
})

// counted returns the number of the argument that the first %d writes, from 1; 0 without one.
func counted(key string) (arg int) {
	for _, m := range verb().FindAllStringSubmatch(key, -1) {
		if m[3] == "%" {
			continue
		}
		if arg++; m[3] == "d" {
			return arg
		}
	}
	return 0
}
