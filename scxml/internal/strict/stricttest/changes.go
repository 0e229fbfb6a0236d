// Package stricttest changes valid requests, for tests that nothing in a request is dropped in silence.
package stricttest

import (
	"encoding/json"
	"slices"
	"strings"
)

// A member is one of an object, as text.
type member struct{ key, value string }

// Changes returns text, an object of JSON, with one key renamed, repeated, or moved up or down a level,
// in all ways. The objects "data" and "states" may have any keys, so keys only leave them.
func Changes(text string) (all []string) {
	of := members(text)
	with := func(i int, instead ...member) {
		all = append(all, object(slices.Replace(slices.Clone(of), i, i+1, instead...)))
	}
	for i, m := range of {
		for _, key := range []string{strings.ToUpper(m.key), strings.ToUpper(m.key[:1]) + m.key[1:], m.key + "x", m.key[1:], " " + m.key, "\ufeff" + m.key} {
			with(i, member{key, m.value})
		}
		with(i, m, m)
		inner := members(m.value)
		for j, up := range inner {
			with(i, member{m.key, object(slices.Delete(slices.Clone(inner), j, j+1))}, up)
		}
		if inner == nil || m.key == "data" || m.key == "states" {
			continue
		}
		for _, changed := range Changes(m.value) {
			with(i, member{m.key, changed})
		}
		for j, down := range of {
			if j != i {
				rest := slices.Clone(of)
				rest[i].value = object(append(slices.Clone(inner), down))
				all = append(all, object(slices.Delete(rest, j, j+1)))
			}
		}
	}
	return all
}

// members returns those of an object in their order, and nil for anything else.
func members(text string) (all []member) {
	d := json.NewDecoder(strings.NewReader(text))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return nil
	}
	for d.More() {
		key, err := d.Token()
		var value json.RawMessage
		if err != nil || d.Decode(&value) != nil {
			return nil
		}
		all = append(all, member{key.(string), string(value)})
	}
	return all
}

func object(of []member) string {
	var b strings.Builder
	for i, m := range of {
		b.WriteByte("{,"[min(i, 1)])
		b.WriteString(`"` + m.key + `":` + m.value)
	}
	if len(of) == 0 {
		b.WriteByte('{')
	}
	return b.String() + "}"
}
