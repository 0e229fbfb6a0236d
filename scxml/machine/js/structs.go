package js

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
	"sync"
)

// A structField is a field of a struct as data sees it, by the rules of encoding/json.
type structField struct {
	name                string
	index               []int
	tagged              bool // its name comes from a tag
	omitEmpty, omitZero bool
}

var structFields sync.Map // reflect.Type → []structField

// fieldsOf returns the fields of a struct in the order of the source, with those of embedded structs unless a field nearer to
// the top has the same name.
func fieldsOf(t reflect.Type) []structField {
	if fields, ok := structFields.Load(t); ok {
		return fields.([]structField)
	}
	all := collectFields(t)
	slices.SortStableFunc(all, func(a, b structField) int {
		return cmp.Or(strings.Compare(a.name, b.name), len(a.index)-len(b.index), int(BoolNumber(b.tagged)-BoolNumber(a.tagged)))
	})
	var fields []structField
	for i, f := range all {
		hidden := i > 0 && all[i-1].name == f.name
		twice := i+1 < len(all) && all[i+1].name == f.name && len(all[i+1].index) == len(f.index) && all[i+1].tagged == f.tagged
		if !hidden && !twice {
			fields = append(fields, f)
		}
	}
	slices.SortFunc(fields, func(a, b structField) int { return slices.Compare(a.index, b.index) })
	structFields.Store(t, fields)
	return fields
}

// collectFields lists all candidates, level by level.
func collectFields(root reflect.Type) (all []structField) {
	type embedded struct {
		t     reflect.Type
		index []int
	}
	seen := map[reflect.Type]bool{}
	for next := []embedded{{root, nil}}; len(next) > 0; {
		level := next
		next = nil
		for _, e := range level {
			if seen[e.t] {
				continue
			}
			for i := range e.t.NumField() {
				f, inner, ok := fieldOf(e.t.Field(i))
				f.index = append(slices.Clone(e.index), i)
				if inner != nil {
					next = append(next, embedded{inner, f.index})
				} else if ok {
					all = append(all, f)
				}
			}
		}
		for _, e := range level {
			seen[e.t] = true
		}
	}
	return all
}

// fieldOf returns a field, or the struct that it embeds without a name, or neither.
func fieldOf(sf reflect.StructField) (f structField, embedded reflect.Type, ok bool) {
	inner := sf.Type
	if inner.Kind() == reflect.Pointer {
		inner = inner.Elem()
	}
	embeds := sf.Anonymous && inner.Kind() == reflect.Struct
	tag := sf.Tag.Get("json")
	if tag == "-" || !sf.IsExported() && (!embeds || sf.Type.Kind() == reflect.Pointer) {
		return f, nil, false
	}
	name, options, _ := strings.Cut(tag, ",")
	if embeds && name == "" {
		return f, inner, false
	}
	f = structField{name: name, tagged: name != ""}
	if name == "" {
		f.name = sf.Name
	}
	for option := range strings.SplitSeq(options, ",") {
		f.omitEmpty = f.omitEmpty || option == "omitempty"
		f.omitZero = f.omitZero || option == "omitzero"
	}
	return f, nil, sf.IsExported()
}

// of returns the field of a struct, unless an embedded pointer on the way is nil.
func (f *structField) of(v reflect.Value) (field reflect.Value, ok bool) {
	for i, n := range f.index {
		if i > 0 && v.Kind() == reflect.Pointer {
			if v.IsNil() {
				return v, false
			}
			v = v.Elem()
		}
		v = v.Field(n)
	}
	empty := v.IsZero()
	switch v.Kind() {
	case reflect.Array, reflect.Map, reflect.Slice, reflect.String:
		empty = v.Len() == 0
	case reflect.Struct:
		empty = false
	}
	return v, !(f.omitEmpty && empty) && !(f.omitZero && v.IsZero())
}

func (t *taker) structOf(v reflect.Value) (Value, *fault) {
	fields := fieldsOf(v.Type())
	if v.NumField() > 0 && len(fields) == 0 && !slices.ContainsFunc(reflect.VisibleFields(v.Type()), func(f reflect.StructField) bool { return f.IsExported() }) {
		return Value{}, &fault{what: "a " + v.Type().String() + " without exported fields"}
	}
	names, values := make([]string, 0, len(fields)), make([]reflect.Value, 0, len(fields))
	for i := range fields {
		if value, ok := fields[i].of(v); ok {
			names, values = append(names, fields[i].name), append(values, value)
		}
	}
	return t.members(0, names, values)
}
