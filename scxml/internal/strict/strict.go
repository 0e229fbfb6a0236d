// Package strict reads what a client says and drops nothing of it in silence: an unknown, repeated or
// misspelled name is an error, with the near miss.
package strict

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
)

// Decode stores text, an object of JSON, in the struct that v points to. The names of the fields are
// those of their json tags, which all fields must have; case counts. Only a pointer and a
// [json.RawMessage] may be null. It checks the names of this object alone: fields that are structs
// again are not supported.
func Decode(text []byte, v any) error {
	if err := datamodel.CheckJSON(text); err != nil {
		return fmt.Errorf("bad JSON: %w", err)
	}
	var given map[string]json.RawMessage
	if err := json.Unmarshal(text, &given); err != nil || given == nil {
		return errors.New("it is not an object of JSON")
	}
	var names []string
	fields := map[string]reflect.Type{}
	for f := range reflect.TypeOf(v).Elem().Fields() {
		name := f.Tag.Get("json")
		names, fields[name] = append(names, name), f.Type
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if err := Name("field", name, names); err != nil {
			return err
		}
		switch t := fields[name]; {
		case string(given[name]) != "null" || t.Kind() == reflect.Pointer || t == reflect.TypeFor[json.RawMessage]():
		default: // Unmarshal would leave the field as it is
			return fmt.Errorf("field %q: want %s, not null", name, kindOf(t))
		}
	}
	err := json.Unmarshal(text, v)
	if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) {
		return fmt.Errorf("field %q: want %s, not the %s", wrong.Field, kindOf(wrong.Type), wrong.Value)
	}
	return err
}

// kindOf says what JSON must have for a field of a type.
func kindOf(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "a text"
	case reflect.Bool:
		return "true or false"
	case reflect.Float64:
		return "a number"
	case reflect.Int:
		return "a whole number"
	case reflect.Uint64:
		return "a whole number that is not negative"
	default:
		return "an object"
	}
}

// Name returns an error unless name, of a kind such as "field", is one of the names.
func Name(kind, name string, names []string) error {
	if slices.Contains(names, name) {
		return nil
	}
	hint := ""
	if near := doc.Near(name, slices.Values(names)); near != "" {
		hint = fmt.Sprintf(" (did you mean %q?)", near)
	} else if len(names) > 0 {
		hint = `: want "` + strings.Join(names, `", "`) + `"`
	}
	return fmt.Errorf("unknown %s %.100q%s", kind, name, hint)
}

// Query returns an error unless the query of a URL has no other parameters than those of the names,
// each at most once.
func Query(raw string, names ...string) error {
	q, err := url.ParseQuery(raw)
	if err != nil {
		return fmt.Errorf("cannot read the query: %w", err)
	}
	for _, name := range slices.Sorted(maps.Keys(q)) {
		switch err := Name("parameter", name, names); {
		case err != nil:
			return err
		case len(q[name]) > 1:
			return fmt.Errorf("the parameter %q is there twice", name)
		case !utf8.ValidString(q[name][0]):
			return fmt.Errorf("the parameter %q is not UTF-8", name)
		}
	}
	return nil
}
