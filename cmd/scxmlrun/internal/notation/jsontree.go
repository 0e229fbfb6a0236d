package notation

import (
	"encoding/json"
	"errors"
	"io"
	"strings"
)

// A value is a value of JSON with its place.
type value struct {
	kind   byte // '{', '[', '"', '0' for a number, 't' or 'f' for a boolean, 'n' for null
	text   string
	at     int // offsets in the file
	end    int
	list   []*value
	fields []field
}

type field struct {
	name string
	at   int
	*value
}

// get returns a field of an object, or nil.
func (v *value) get(name string) *value {
	if v == nil {
		return nil
	}
	for _, f := range v.fields {
		if f.name == name {
			return f.value
		}
	}
	return nil
}

// str returns the text of a string, or "".
func (v *value) str() string {
	if v == nil || v.kind != '"' {
		return ""
	}
	return v.text
}

// all returns the values of an array, or the value alone.
func (v *value) all() []*value {
	switch {
	case v == nil || v.kind == 'n':
		return nil
	case v.kind == '[':
		return v.list
	}
	return []*value{v}
}

// readJSON reads the one value of a file.
func (s *source) readJSON() (*value, error) {
	dec := json.NewDecoder(strings.NewReader(s.text))
	dec.UseNumber()
	r := &jsonReader{source: s, dec: dec}
	v, err := r.value(0)
	if err != nil {
		return nil, err
	}
	at := r.next()
	if _, err := dec.Token(); err != io.EOF {
		return nil, s.errorf(at, "want the end of the file after the value")
	}
	return v, nil
}

type jsonReader struct {
	*source
	dec *json.Decoder
}

// next returns the offset of the next token.
func (r *jsonReader) next() int {
	i := int(r.dec.InputOffset())
	for i < len(r.text) && strings.IndexByte(" \t\r\n,:", r.text[i]) >= 0 {
		i++
	}
	return i
}

func (r *jsonReader) value(depth int) (*value, error) {
	v := &value{at: r.next()}
	if depth > maxNested {
		return nil, r.errorf(v.at, "values are nested more than %d deep", maxNested)
	}
	token, err := r.dec.Token()
	if err != nil {
		return nil, r.problem(v.at, err)
	}
	switch t := token.(type) {
	case json.Delim:
		v.kind = byte(t)
		if err := r.inside(v, depth); err != nil {
			return nil, err
		}
	case string:
		v.kind, v.text = '"', t
		for _, c := range t {
			if !xmlChar(c) {
				return nil, r.errorf(v.at, "character U+%04X cannot be part of an XML document", c)
			}
		}
	case json.Number:
		v.kind, v.text = '0', t.String()
	case bool:
		v.kind = map[bool]byte{true: 't', false: 'f'}[t]
	case nil:
		v.kind = 'n'
	}
	v.end = int(r.dec.InputOffset())
	return v, nil
}

// inside reads the fields of an object or the values of an array.
func (r *jsonReader) inside(v *value, depth int) error {
	seen := make(map[string]bool)
	for r.dec.More() {
		f := field{at: r.next()}
		if v.kind == '{' {
			name, err := r.value(depth + 1)
			if err != nil {
				return err
			}
			if f.name = name.text; seen[f.name] {
				return r.errorf(f.at, "key %q is there twice", f.name)
			}
			seen[f.name] = true
		}
		var err error
		if f.value, err = r.value(depth + 1); err != nil {
			return err
		}
		if v.kind == '{' {
			v.fields = append(v.fields, f)
		} else {
			v.list = append(v.list, f.value)
		}
	}
	at := r.next()
	if _, err := r.dec.Token(); err != nil {
		return r.problem(at, err)
	}
	return nil
}

// problem says what package json does not like, and where.
func (r *jsonReader) problem(at int, err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return r.errorf(len(r.text), "the JSON text does not end: want a value or a closing bracket")
	}
	return r.errorf(at, "the file is not JSON: %s", strings.TrimPrefix(err.Error(), "json: "))
}
