package compile_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// canonical returns saved data with the variables sorted by name: their order, and so the numbers in {"$ref":n}, is that
// in which a session has declared them, which a machine does not know. What refers to one object still does.
func canonical(data json.RawMessage) (string, error) {
	var sections map[string]json.RawMessage
	if err := json.Unmarshal(data, &sections); err != nil || sections == nil {
		return string(data), err
	}
	var objects []*savedPart // by their numbers
	variables := map[string]any{}
	for _, section := range []string{"data", "var", "let", "const"} {
		if sections[section] == nil {
			continue
		}
		r := &partReader{json.NewDecoder(strings.NewReader(string(sections[section]))), &objects}
		if err := r.members(func(name string) (err error) {
			variables[section+" "+name], err = r.value()
			return err
		}); err != nil {
			return "", err
		}
	}
	var b strings.Builder
	numbers := map[*savedPart]int{}
	var write func(v any)
	write = func(v any) {
		p, ok := v.(*savedPart)
		n, seen := numbers[p]
		switch {
		case !ok:
			fmt.Fprintf(&b, "%#v", v)
		case seen:
			fmt.Fprintf(&b, "#%d", n)
		default:
			numbers[p] = len(numbers)
			b.WriteString(p.open)
			for i, v := range p.values {
				fmt.Fprintf(&b, " %q ", p.names[i])
				write(v)
			}
			b.WriteByte('.')
		}
	}
	for _, name := range slices.Sorted(maps.Keys(variables)) {
		b.WriteString("\n" + name + " ")
		write(variables[name])
	}
	return b.String(), nil
}

// A savedPart is an array or an object of saved data.
type savedPart struct {
	open   string
	names  []string
	values []any
}

type partReader struct {
	*json.Decoder
	objects *[]*savedPart
}

// members reads an object: member reads the value of each.
func (r *partReader) members(member func(name string) error) error {
	if _, err := r.Token(); err != nil {
		return err
	}
	for r.More() {
		name, err := r.Token()
		if err != nil {
			return err
		}
		if err := member(fmt.Sprint(name)); err != nil {
			return err
		}
	}
	_, err := r.Token()
	return err
}

func (r *partReader) value() (any, error) {
	token, err := r.Token()
	if err != nil || token != json.Delim('[') && token != json.Delim('{') {
		return token, err
	}
	p := &savedPart{open: fmt.Sprint(token)}
	var ref any
	numbered := token == json.Delim('[')
	for r.More() {
		name := any(len(p.names))
		if p.open == "{" {
			if name, err = r.Token(); err != nil {
				return nil, err
			}
			special := strings.HasPrefix(name.(string), "$") && !strings.HasPrefix(name.(string), "$$")
			numbered = numbered || !special || name == "$function" || name == "$sparse"
		}
		if numbered && len(p.names) == 0 {
			*r.objects = append(*r.objects, p)
		}
		v, err := r.value()
		if err != nil {
			return nil, err
		}
		if name == "$ref" {
			ref = (*r.objects)[int(v.(float64))]
		}
		p.names, p.values = append(p.names, fmt.Sprint(name)), append(p.values, v)
	}
	if len(p.names) == 0 {
		*r.objects = append(*r.objects, p)
	}
	if _, err := r.Token(); err != nil || ref != nil {
		return ref, err
	}
	return p, nil
}
